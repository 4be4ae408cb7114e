#include <fmt/core.h>

#include "verify/spec/parser.h"

namespace assay::verify {

namespace {

constexpr std::string_view notation = R"(How to say what a model takes, and what of it varies.

Each --input is one argument, in the order of the model's parameters: its name, a colon, what it is.

tensors: element type and sizes

  --input 'x: f32[2, 3]'
      The types are f32 f64 f16 bf16 i64 i32 i16 i8 u8 bool c64 c128. A tensor without sizes, f32[],
      holds one number.

  --input 'x: f32[b, 3, h, 2*h]' --input 'mask: bool[b]' --dim b=1..8 --dim h=32..96:32
      A letter is a size that varies, the same wherever it stands. --dim gives its range: 1..8 is every
      size from 1 to 8, 32..96:32 is 32, 64, 96. Sizes may be computed with + - * // and parentheses.

  --input 'x: f32[h, w]' --dim h=8,16,32..64 --dim w=h..2*h
      A range may list sizes and ranges, and may depend on other letters.

  --input 'x: f32[?, 4]'
      ? is any size from 0 to 8, bound for this place alone.

  --input 'x: f32[*rest, 4]' --input 'y: f32[*rest]' --ranks rest=0..2
      *rest stands for any number of sizes, here none to two, the same wherever it stands.
      Without --ranks up to three.

values: in LOW..HIGH, both ends included

  --input 'ids: i64[b, t] in 0..99' --input 'x: f32[b] in -1.0..1.0' --dim b=1..4 --dim t=1..16
      Without a range whole numbers are drawn from 0..9, others around 0.

  --input 'ids: i64[b] in 0..n-1' --input 'table: f32[n, 4]' --dim b=1..4 --dim n=1..50
      The ends may be sizes.

arguments that may be missing, and those given by keyword

  --input 'x: f32[b]' --input 'mask: bool[b]?' --dim b=1..4
      ? behind what an argument is: None is given now and then. A parameter with a default can be left
      out altogether.

  --input 'x: f32[b]' --input 'scale= f32[]' --dim b=1..4
      = in place of the colon: the argument is passed by its name, scale=..., behind the others.

lists, tuples, dicts, named tuples, dataclasses

  --input 'pair: (f32[b], i64[b])' --input 'both: [f32[b], f32[b]]' --dim b=1..4
      A tuple, and a list of two. A tuple of one is written (f32[b],).

  --input 'images: [f32[3, ?, ?]]*n' --dim n=1..5
      A list of n elements.

  --input 'batch: {image: f32[b, 3], mask?: bool[b], "word-ids": i64[b]}' --dim b=1..4
      A dict. The key mask may be missing; a key that is no name stands in quotes.

  --input 'batch: Batch(image: f32[b, 3], size: (i64[], i64[]))' --dim b=1..4
      A named tuple or a dataclass of the model's own file, by its class and fields.

numbers and texts

  --input 'x: f32[b]' --input 'steps: 3' --input 'scale: 0.5' --input 'act: "relu"' --input 'causal: True' --dim b=1..4
      Given: the same in every case. Tracing fixes numbers and texts, so a traced model has to be given
      them; its export then takes the tensors alone.

  --input 'x: f32[b]' --input 'n: int in 1..4' --input 'p: float in 0.0..1.0' --input 'flag: bool' --input 'act: str in "relu" | "tanh"' --dim b=1..4
      Drawn: for archives that take them, as those made with --export script do.

what else varies: the flags below

  --input 'x: f32[b]' --input 'y: f32[b]' --dim b=1..4 --modes eval,train --dtypes x:f32,f64 --layouts y:contiguous,strided --aliases x=y
      What no flag names does not vary, and reports say so.

  --input 'x: f32[b]' --dim b=1..4 --values x:normal,huge,nan,inf
      Numbers of usual size, zeros, ones and negative ones are drawn unasked. nan and inf are for some of
      the elements; without being asked for they are drawn where the model has a way of its own for them.

a file in place of the flags: --spec spec.json; flags given beside it refine it

{
  "inputs": ["x: f32[b, 3, h, h]", "ids: i64[b] in 0..99"],
  "dims": {"b": "1..8", "h": ["8", "16..32:8"]},
  "modes": ["eval", "train"],
  "dtypes": {"x": ["f32", "f64"]}
}

flags (each but --spec may be repeated):
)";

}  // namespace

std::string spec_help() {
  std::string text(notation);
  auto add = [&](const std::string& name, const std::string& help) {
    text += fmt::format("  {:<14}{}\n", name, help);
  };
  add("--spec FILE", "a spec file (JSON)");
  for (const SpecFlag& flag : spec_flags()) add("--" + flag.flag, flag.help);
  return text;
}

}  // namespace assay::verify
