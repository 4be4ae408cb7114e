#include "tests/support/spec_gen.h"

namespace assay::verify {
namespace {

/// Arithmetic over the letters, nested a little. Nothing divides by zero: no letter is ever 0.
rc::Gen<SizeExpr> size_expr(std::vector<std::string> letters, int depth) {
  rc::Gen<SizeExpr> number =
      rc::gen::map(rc::gen::inRange<int64_t>(0, 40), [](int64_t v) { return SizeExpr(v); });
  rc::Gen<SizeExpr> letter =
      rc::gen::map(rc::gen::elementOf(letters), [](std::string l) { return SizeExpr::letter(l); });
  if (depth == 0) return rc::gen::oneOf(number, letter);
  rc::Gen<SizeExpr> inner = size_expr(letters, depth - 1);
  rc::Gen<SizeExpr> divisor =
      rc::gen::map(rc::gen::inRange<int64_t>(1, 40), [](int64_t v) { return SizeExpr(v); });
  auto binary = [](char op, SizeExpr a, SizeExpr b) { return SizeExpr::binary(op, a, b); };
  rc::Gen<SizeExpr> pair = rc::gen::apply(binary, rc::gen::element('+', '-', '*'), inner, inner);
  rc::Gen<SizeExpr> quotient =
      rc::gen::apply(binary, rc::gen::just('/'), inner, rc::gen::oneOf(divisor, letter));
  return rc::gen::oneOf(number, letter, pair, quotient);
}

rc::Gen<InputTree> leaf(std::vector<std::string> letters) {
  return rc::gen::exec([letters] {
    InputTree tree;
    tree.kind = *rc::gen::element(InputTree::Kind::tensor, InputTree::Kind::tensor,
                                  InputTree::Kind::integer, InputTree::Kind::floating,
                                  InputTree::Kind::boolean, InputTree::Kind::text);
    tree.optional = *rc::gen::arbitrary<bool>();
    if (tree.kind == InputTree::Kind::text) tree.texts = {"a b", "it's"};
    bool given = *rc::gen::inRange(0, 4) == 0;
    if (given && tree.kind == InputTree::Kind::text) tree.texts = {"only"};
    if (given && tree.kind == InputTree::Kind::boolean) {
      SizeExpr only(*rc::gen::inRange<int64_t>(0, 2));
      tree.optional = false;
      tree.range = ValueRange{only, only};
    }
    bool ranged = tree.kind != InputTree::Kind::text && tree.kind != InputTree::Kind::boolean;
    if (ranged && *rc::gen::arbitrary<bool>()) {
      if (*rc::gen::arbitrary<bool>()) {
        tree.range = ValueRange{-1.5, 2.25e-7};
      } else {
        tree.range = ValueRange{SizeExpr(-3), *size_expr(letters, 1)};
        if (std::get<SizeExpr>(tree.range->high).is_number()) tree.range->high = SizeExpr(7);
      }
    }
    if (tree.kind != InputTree::Kind::tensor) return tree;
    tree.dtype = *rc::gen::element(core::DType::float32, core::DType::int64, core::DType::boolean,
                                   core::DType::bfloat16);
    int rank = *rc::gen::inRange(0, 4);
    for (int d = 0; d < rank; ++d) {
      ShapeItem item;
      item.kind =
          *rc::gen::element(ShapeItem::Kind::size, ShapeItem::Kind::size, ShapeItem::Kind::any);
      if (item.kind == ShapeItem::Kind::size) item.size = *size_expr(letters, 1);
      tree.shape.push_back(item);
    }
    if (*rc::gen::inRange(0, 4) == 0) {
      ShapeItem item;
      item.kind = ShapeItem::Kind::pack;
      item.name = "rest";
      tree.shape.push_back(item);
    }
    return tree;
  });
}

rc::Gen<InputTree> tree(std::vector<std::string> letters, int depth) {
  if (depth == 0) return leaf(letters);
  return rc::gen::exec([letters, depth] {
    if (*rc::gen::inRange(0, 3) != 0) return *leaf(letters);
    InputTree out;
    out.optional = *rc::gen::arbitrary<bool>();
    out.kind =
        *rc::gen::element(InputTree::Kind::list, InputTree::Kind::tuple, InputTree::Kind::dict,
                          InputTree::Kind::record, InputTree::Kind::repeated);
    if (out.kind == InputTree::Kind::record) out.class_name = "Batch";
    int count = out.kind == InputTree::Kind::repeated ? 1 : *rc::gen::inRange(0, 3);
    for (int i = 0; i < count; ++i) {
      out.children.push_back(*tree(letters, depth - 1));
      if (out.kind != InputTree::Kind::dict && out.kind != InputTree::Kind::record) continue;
      out.keys.push_back("k" + std::to_string(i));
      if (out.kind == InputTree::Kind::dict) {
        out.key_optional.push_back(*rc::gen::arbitrary<bool>());
      }
    }
    if (out.kind == InputTree::Kind::repeated) {
      out.count = *rc::gen::element(SizeExpr(2), SizeExpr::letter("b"));
    }
    return out;
  });
}

rc::Gen<Spec> spec() {
  return rc::gen::exec([] {
    Spec out;
    out.dims.push_back({"b", {{1, 4, 1}}});
    out.dims.push_back({"h", {{4, 8, 2}}});
    SizeExpr h = SizeExpr::letter("h");
    out.dims.push_back({"w", {{h, SizeExpr::binary('*', 2, h), 1}}});
    int inputs = *rc::gen::inRange(1, 4);
    for (int i = 0; i < inputs; ++i) {
      out.inputs.push_back({"x" + std::to_string(i), false, *tree({"b", "h", "w"}, 2)});
    }
    if (*rc::gen::arbitrary<bool>()) {
      out.devices = {core::Device{}, core::Device{core::DeviceType::fake, 0}};
    }
    if (*rc::gen::arbitrary<bool>()) out.choices[CategoricalAxis::modes] = {"eval", "train"};
    if (*rc::gen::arbitrary<bool>()) out.choices[CategoricalAxis::grad] = {"on"};
    if (*rc::gen::arbitrary<bool>()) {
      out.input_choices[CategoricalAxis::layouts]["x0"] = {"strided", "contiguous"};
    }
    if (*rc::gen::arbitrary<bool>()) {
      out.input_choices[CategoricalAxis::values]["*"] = {"normal", "huge"};
    }
    if (*rc::gen::arbitrary<bool>()) out.dtypes["*"] = {core::DType::float64};
    if (*rc::gen::arbitrary<bool>()) out.calls = {{1, 3}};
    if (*rc::gen::arbitrary<bool>()) out.seeds = {{0, 0}};
    if (*rc::gen::arbitrary<bool>()) out.properties = {"parity", "deterministic"};
    if (*rc::gen::arbitrary<bool>()) out.atol = {{"*", 1e-5}, {"output[0]", 0.25}};
    return out;
  });
}

}  // namespace
}  // namespace assay::verify

rc::Gen<assay::verify::Spec> rc::Arbitrary<assay::verify::Spec>::arbitrary() {
  return assay::verify::spec();
}
