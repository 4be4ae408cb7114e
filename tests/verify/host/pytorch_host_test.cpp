#include "verify/host/pytorch_host.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/base/error.h"
#include "engine/base/temporary_folder.h"
#include "engine/core/host_access.h"
#include "tests/verify/host/with_torch.h"

namespace assay::verify::host {
namespace {

TEST(PytorchHost, a_missing_interpreter_is_one_clear_error) {
  auto message = [](const std::string& python) {
    try {
      PytorchHost host({python, {}, 1, 20, 1});
    } catch (const base::Error& error) {
      EXPECT_EQ(error.kind(), base::ErrorKind::input);
      return error.message();
    }
    return std::string("no error");
  };
  EXPECT_NE(message("/no/such/python").find("cannot start /no/such/python"), std::string::npos);
  EXPECT_NE(message("false").find("false cannot serve as the PyTorch host: the process exited"),
            std::string::npos);
  EXPECT_NE(message("yes").find("yes cannot serve as the PyTorch host"), std::string::npos);
}

TEST_F(WithTorch, a_python_without_torch_is_one_clear_error) {
  ::setenv("PYTHONPATH", "tests/verify/host/without_torch", 1);
  std::string message;
  try {
    PytorchHost host({python_with_torch(), {}, 1, 60, 1});
  } catch (const base::Error& error) {
    message = error.message();
  }
  ::unsetenv("PYTHONPATH");
  EXPECT_NE(message.find("has no usable torch: ImportError: hidden"), std::string::npos) << message;
}

TEST_F(WithTorch, the_engines_package_is_asked_for_its_torch) {
  PytorchHost engine(with_package("engine_package"));
  EXPECT_TRUE(engine.facts().engine);
  EXPECT_EQ(engine.name(), "assay's engine (" + engine.facts().executable + ")");
  EXPECT_FALSE(host().facts().engine);
  EXPECT_EQ(host().name(),
            "PyTorch " + host().facts().torch + " (" + host().facts().executable + ")");
}

TEST_F(WithTorch, an_interpreter_that_cannot_use_the_engines_package_is_told_as_that) {
  try {
    PytorchHost engine(with_package("without_torch"));
    FAIL() << "it started";
  } catch (const WithoutTorch& error) {
    EXPECT_NE(error.message().find("cannot use the engine's torch: ModuleNotFoundError"),
              std::string::npos)
        << error.message();
  }
}

TEST_F(WithTorch, tells_what_it_is_and_what_it_loaded) {
  EXPECT_FALSE(host().facts().torch.empty());
  EXPECT_EQ(host().facts().devices[0], "cpu");
  Loaded loaded = host().load("model_under_test.py:Net", "model_under_test.py:example");
  EXPECT_EQ(loaded.model.class_name, "model_under_test.Net");
  EXPECT_EQ(loaded.model.parameters[0].name, "linear.weight");
  EXPECT_EQ(loaded.model.parameters[0].shape, (std::vector<int64_t>{4, 4}));
  EXPECT_EQ(loaded.model.buffers[0].name, "norm.running_mean");
  EXPECT_EQ(loaded.model.weight_dims, (std::vector<int64_t>{4}));
  EXPECT_EQ(loaded.model.signature[0].name, "x");
  ASSERT_EQ(loaded.example->size(), 2u);
  EXPECT_EQ((*loaded.example)[1].dict().find("flag")->to_int(), 1);
}

TEST_F(WithTorch, state_is_restored_between_calls) {
  load("Net");
  CallRequest request = call({floats({2, 4})});
  request.mode = "train";
  Observation first = host().run(request), second = host().run(request);
  ASSERT_EQ(first.ending, Ending::returned) << first.failure->message;
  EXPECT_EQ(bytes(first.outputs), bytes(second.outputs));
  std::vector<std::string> paths;
  for (const StateChange& change : second.state) paths.push_back(change.path);
  EXPECT_EQ(paths, (std::vector<std::string>{
                       "count", "memo/last", "model_under_test.CALLS", "model_under_test.Net.seen",
                       "norm.num_batches_tracked", "norm.running_mean", "norm.running_var"}));
  EXPECT_EQ(second.state[0].value.to_int(), 1);
  EXPECT_EQ(second.state[4].kind, StateChange::Kind::buffer);
  request.keep = true;
  Observation third = host().run(request);
  EXPECT_EQ(third.state[0].value.to_int(), 2);
  host().reset();
  request.mode = "eval";
  EXPECT_EQ(host().run(request).state[0].value.to_int(), 1);
}

TEST_F(WithTorch, memory_that_tensors_share_stays_shared) {
  load("LooksIntoItsWeight");
  CallRequest request = call({floats({2}, 1)});
  for (double scale : {3.0, 0.0, 3.0}) {
    request.scale = scale;
    Observation seen = host().run(request);
    ASSERT_EQ(seen.ending, Ending::returned) << seen.failure->message;
    float factor = scale == 0 ? 1 : 3;
    EXPECT_EQ(seen.outputs.to_tensor().data<float>()[0], factor);
    EXPECT_EQ(seen.outputs.to_tensor().data<float>()[1], 4 * factor);
    EXPECT_TRUE(seen.state.empty());
  }
}

TEST_F(WithTorch, state_in_classes_slots_and_arrays_is_seen_and_restored) {
  load("HeldElsewhere");
  CallRequest request = call({floats({2}, 1)});
  Observation first = host().run(request), second = host().run(request);
  ASSERT_EQ(first.ending, Ending::returned) << first.failure->message;
  EXPECT_EQ(first.outputs.to_tensor().data<float>()[0], 7);
  EXPECT_EQ(bytes(first.outputs), bytes(second.outputs));
  std::vector<std::string> paths;
  for (const StateChange& change : second.state) paths.push_back(change.path);
  EXPECT_EQ(paths,
            (std::vector<std::string>{"model_under_test.HeldElsewhere.history", "noting/0", "raw",
                                      "slotted.calls", "slotted.seen", "steps", "table", "turns"}));
}

TEST_F(WithTorch, state_that_functions_keep_is_seen_and_restored) {
  load("KeptByFunctions");
  CallRequest request = call({floats({2}, 1)});
  Observation first = host().run(request), second = host().run(request);
  ASSERT_EQ(first.ending, Ending::returned) << first.failure->message;
  EXPECT_EQ(bytes(first.outputs), bytes(second.outputs));
  std::vector<std::string> paths;
  for (const StateChange& change : second.state) paths.push_back(change.path);
  EXPECT_EQ(paths,
            (std::vector<std::string>{"count.calls", "count.seen",
                                      "model_under_test.KeptByFunctions.forward.default 0"}));
}

TEST_F(WithTorch, a_converted_model_is_put_back) {
  load("Net");
  CallRequest plain = call({floats({2, 4})});
  std::string before = bytes(host().run(plain).outputs);
  Tensor x = Tensor::empty(core::Dims{2, 4}, DType::float64);
  for (int i = 0; i < 8; ++i) x.data<double>()[i] = i;
  CallRequest request = call({x});
  request.dtype = "float64";
  Observation seen = host().run(request);
  ASSERT_EQ(seen.ending, Ending::returned) << seen.failure->message;
  EXPECT_EQ(seen.outputs.to_tensor().dtype(), DType::float64);
  EXPECT_EQ(seen.state.size(), 4u);  // What Python wrote, and no parameter.
  request = plain;
  request.device = "meta";
  seen = host().run(request);
  ASSERT_EQ(seen.ending, Ending::returned) << seen.failure->message;
  EXPECT_EQ(seen.outputs.to_tensor().device().type, core::DeviceType::meta);
  EXPECT_EQ(bytes(host().run(plain).outputs), before);
}

TEST_F(WithTorch, inputs_aliases_and_state_are_seen) {
  load("Changes");
  Tensor x = floats({3});
  Observation seen = host().run(call({x}));
  ASSERT_EQ(seen.ending, Ending::returned) << seen.failure->message;
  EXPECT_TRUE(seen.inputs_changed);
  EXPECT_EQ(x.data<float>()[0], 0);  // Ours is untouched.
  EXPECT_EQ(seen.args_after[0].to_tensor().data<float>()[0], 1);
  EXPECT_EQ(seen.aliases,
            (std::vector<std::vector<std::string>>{{"args[0]", "output[0]", "output[2]"},
                                                   {"output[1]", "state:total"}}));
  EXPECT_EQ(seen.outputs.tuple().items[0].to_tensor().offset(), 1);
  ASSERT_EQ(seen.state.size(), 1u);
  EXPECT_EQ(seen.state[0].path, "total");
}

TEST_F(WithTorch, arguments_keep_their_strides_and_sharing) {
  load("odd_outputs");
  Tensor base = floats({2, 3});
  Tensor turned = base.view(core::Dims{3, 2}, core::Dims{1, 3}, 0);
  Observation seen = host().run(call({turned}));
  ASSERT_EQ(seen.ending, Ending::returned) << seen.failure->message;
  Tensor after = seen.args_after[0].to_tensor();
  EXPECT_EQ(after.stride(0), 1);
  EXPECT_EQ(after.stride(1), 3);
  EXPECT_EQ(row_major_bytes(after), row_major_bytes(turned));
  EXPECT_FALSE(seen.inputs_changed);

  load("Changes");
  Observation both = host().run(call({turned, base.view(core::Dims{2}, core::Dims{0}, 5)}));
  ASSERT_EQ(both.ending, Ending::returned) << both.failure->message;
  EXPECT_EQ(both.args_after[1].to_tensor().data<float>()[0], 6);
}

TEST_F(WithTorch, outputs_that_are_no_tensors_are_values) {
  load("odd_outputs");
  Observation seen = host().run(call({floats({2})}));
  ASSERT_EQ(seen.ending, Ending::returned) << seen.failure->message;
  const core::Values& items = seen.outputs.list().items;
  ASSERT_EQ(items.size(), 7u);
  EXPECT_EQ(core::as_tuple(items[0].tuple().named)->fields,
            (std::vector<std::string>{"first", "second"}));
  EXPECT_TRUE(items[1].dict().find("k")->is_tensor());
  EXPECT_TRUE(items[1].dict().find(3)->is_none());
  EXPECT_EQ(items[2].object().type->name(), "builtins.object");
  EXPECT_NE(items[3].to_float(), items[3].to_float());
  EXPECT_EQ(items[4].object().type->name(), "builtins.int");
  EXPECT_EQ(items[5].to_int(), static_cast<int64_t>(DType::float16));
  EXPECT_EQ(items[6].object().type->name(), "builtins.set");
}

TEST_F(WithTorch, what_the_model_prints_breaks_nothing) {
  load("Noisy");
  Observation seen = host().run(call({floats({2})}));
  ASSERT_EQ(seen.ending, Ending::returned) << seen.failure->message;
  EXPECT_EQ(seen.printed, "printed by the model\n");
  EXPECT_EQ(host().run(call({floats({2})})).ending, Ending::returned);
}

TEST_F(WithTorch, exceptions_are_observations_with_their_line) {
  load("Raises");
  Observation seen = host().run(call({floats({2})}));
  EXPECT_EQ(seen.ending, Ending::raised);
  EXPECT_EQ(seen.failure->type, "ValueError");
  EXPECT_EQ(seen.failure->message, "not today");
  EXPECT_TRUE(seen.failure->place.file.ends_with("model_under_test.py"));
  EXPECT_EQ(seen.failure->place.function, "forward");
  EXPECT_EQ(host().run(call({floats({2}, 30)})).failure->type, "KeyboardInterrupt");
  Observation left = host().run(call({floats({2}, 300)}));
  EXPECT_EQ(left.failure->type, "SystemExit");
  EXPECT_EQ(left.failure->message, "sys.exit(7) was called");
  EXPECT_EQ(host().run(call({})).failure->type, "TypeError");
}

TEST_F(WithTorch, deaths_are_observations_and_the_next_call_works) {
  struct {
    const char* name;
    Ending ending;
    const char* part;
  } rows[] = {{"crash", Ending::died, "signal 11"},
              {"leave", Ending::died, "code 5"},
              {"killed", Ending::died, "signal 9"}};
  for (const auto& row : rows) {
    load(row.name);
    int before = host().restarts();
    Observation seen = host().run(call({floats({2})}));
    EXPECT_EQ(seen.ending, row.ending) << row.name;
    EXPECT_NE(seen.failure->message.find(row.part), std::string::npos) << seen.failure->message;
    load("odd_outputs");
    EXPECT_EQ(host().run(call({floats({2})})).ending, Ending::returned);
    EXPECT_EQ(host().restarts(), before + 1);
  }
}

TEST_F(WithTorch, a_call_that_hangs_is_ended_and_the_next_call_works) {
  HostOptions options{python_with_torch(), "tests/verify/host"};
  options.call_seconds = 3;
  PytorchHost impatient(options);
  impatient.load("model_under_test.py:hang");
  Observation seen = impatient.run(call({floats({2})}));
  EXPECT_EQ(seen.ending, Ending::timed_out);
  EXPECT_NE(seen.failure->message.find("within the time allowed"), std::string::npos)
      << seen.failure->message;
  impatient.load("model_under_test.py:odd_outputs");
  EXPECT_EQ(impatient.run(call({floats({2})})).ending, Ending::returned);
  EXPECT_EQ(impatient.restarts(), 1);
}

/// An interpreter that notes its process's number with each start; from start number `broken` on it
/// is none.
class Noting {
 public:
  explicit Noting(int broken = 0) {
    std::ofstream(path()) << "#!/bin/sh\necho $$ >> " << log() << "\n"
                          << "test $(wc -l < " << log() << ") = " << broken << " && exit 3\n"
                          << "exec " << python_with_torch() << " \"$@\"\n";
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }

  std::string path() const { return folder_.path() / "python"; }
  std::vector<pid_t> starts() const {
    std::ifstream noted(log());
    return {std::istream_iterator<pid_t>(noted), {}};
  }
  /// The same once there are so many, which begin in the background.
  size_t starts_once(size_t wanted) const {
    for (int k = 0; k < 1000 && starts().size() < wanted; ++k) ::usleep(10000);
    return starts().size();
  }

 private:
  std::string log() const { return folder_.path() / "log"; }

  base::TemporaryFolder folder_;
};

TEST_F(WithTorch, a_spare_process_takes_the_place_of_the_next_that_dies) {
  Noting python;
  {
    PytorchHost own({python.path(), "tests/verify/host", 1, 120, 60, 60});
    own.load("model_under_test.py:odd_outputs");
    EXPECT_EQ(own.run(call({floats({2})})).ending, Ending::returned);
    EXPECT_EQ(python.starts().size(), 1u);  // A model that never dies pays for no other.
    own.load("model_under_test.py:leave");
    for (size_t deaths = 1; deaths <= 3; ++deaths) {
      Observation seen = own.run(call({floats({2})}));
      EXPECT_NE(seen.failure->message.find("code 5"), std::string::npos) << seen.failure->message;
      // The first, and after each death one in its place and one to spare, which is the next one's.
      EXPECT_EQ(python.starts_once(deaths == 1 ? 1 : deaths + 1), deaths == 1 ? 1 : deaths + 1);
    }
    EXPECT_EQ(own.restarts(), 2);
    // A spare process that died itself is passed over.
    ::kill(python.starts().back(), SIGKILL);
    own.load("model_under_test.py:odd_outputs");
    EXPECT_EQ(own.run(call({floats({2})})).ending, Ending::returned);
    EXPECT_EQ(own.restarts(), 3);
  }
  for (pid_t process : python.starts()) EXPECT_NE(::kill(process, 0), 0) << "one is left";
}

TEST_F(WithTorch, a_spare_process_that_is_of_no_use_is_passed_over) {
  Noting python(3);  // The second is the one in place of the first, the third its spare.
  PytorchHost own({python.path(), "tests/verify/host", 1, 120, 60, 60});
  own.load("model_under_test.py:leave");
  for (int deaths = 1; deaths <= 3; ++deaths) {
    EXPECT_EQ(own.run(call({floats({2})})).ending, Ending::died);
  }
  own.load("model_under_test.py:odd_outputs");
  EXPECT_EQ(own.run(call({floats({2})})).ending, Ending::returned);
}

TEST_F(WithTorch, the_same_seed_gives_the_same_numbers) {
  load("random_numbers");
  CallRequest request = call({floats({3})});
  std::string first = bytes(host().run(request).outputs);
  EXPECT_EQ(bytes(host().run(request).outputs), first);
  request.seed = 2;
  EXPECT_NE(bytes(host().run(request).outputs), first);
}

TEST_F(WithTorch, traces_with_warnings_at_the_users_line) {
  load("Pinned");
  using Kind = ExportRequest::Kind;
  Export made = host().export_model(exporting(Kind::trace, {floats({3, 2})}));
  ASSERT_EQ(made.ending, Ending::returned) << made.failure->message;
  EXPECT_EQ(made.archive.substr(0, 2), "PK");
  ASSERT_EQ(made.warnings.size(), 1u);
  EXPECT_EQ(made.warnings[0].category, "TracerWarning");
  EXPECT_TRUE(made.warnings[0].place.file.ends_with("model_under_test.py"));
  ExportRequest meta = exporting(Kind::trace, {floats({3, 2})});
  meta.device = "meta";
  Export hollow = host().export_model(meta);
  ASSERT_EQ(hollow.ending, Ending::returned) << hollow.failure->message;
  EXPECT_EQ(host().export_model(exporting(Kind::script, {})).ending, Ending::returned);
  // The device literal followed the input: beside an input on the CPU it does not fit.
  EXPECT_EQ(run_archive(host(), made.archive, floats({3, 2})).ending, Ending::returned);
  Observation mixed = run_archive(host(), hollow.archive, floats({3, 2}));
  ASSERT_EQ(mixed.ending, Ending::raised);
  EXPECT_NE(mixed.failure->message.find("meta"), std::string::npos) << mixed.failure->message;
  load("Raises");
  EXPECT_EQ(host().export_model(exporting(Kind::trace, {floats({2})})).failure->type, "ValueError");
}

TEST_F(WithTorch, traces_tell_what_left_the_graph) {
  load("escaping");
  Tensor x = floats({3, 2});
  x.data<float>()[0] = 2.5;
  for (int i = 1; i < 6; ++i) x.data<float>()[i] = 0.5;
  Export made = host().export_model(exporting(ExportRequest::Kind::trace, {x}));
  ASSERT_EQ(made.ending, Ending::returned) << made.failure->message;
  std::vector<std::string> seen;
  for (const Escape& e : made.escapes) {
    ASSERT_TRUE(e.value.has_value());
    EXPECT_TRUE(e.place.file.ends_with("model_under_test.py"));
    EXPECT_EQ(e.place.function, "escaping");
    int line = e.place.line - made.escapes[0].place.line;
    seen.push_back(fmt::format("{} {} +{}", e.kind, e.value->to_double(), line));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"index 3 +0", "bool 1 +1", "item 2.5 +2", "dim 2 +3",
                                            "int 3 +3"}));
  // Nothing listens any more.
  EXPECT_EQ(host().run(call({x})).ending, Ending::returned);
}

TEST_F(WithTorch, traces_tell_who_drew_by_whatever_name) {
  load("drawn_by_name");
  Export made = host().export_model(exporting(ExportRequest::Kind::trace, {floats({3, 2})}));
  ASSERT_EQ(made.ending, Ending::returned) << made.failure->message;
  std::vector<std::string> seen;
  for (const Escape& e : made.escapes) {
    int line = e.place.line - made.escapes[0].place.line;
    size_t numbers = e.value ? 1 : e.numbers.size();
    std::string told = fmt::format("{} {} +{}", e.kind, numbers, line);
    if (seen.empty() || seen.back() != told) seen.push_back(told);
  }
  // uuid4 draws 16 bytes; of a date and of a generator of the model's own the line alone is known.
  EXPECT_EQ(seen, (std::vector<std::string>{"random 1 +0", "random 1 +1", "random 0 +1",
                                            "random 16 +2", "random 1 +2", "random 0 +4"}));
}

TEST_F(WithTorch, an_export_draws_as_a_run_of_the_same_call_where_it_is_asked_to) {
  load("gain_by_chance");
  Tensor x = floats({1});
  x.data<float>()[0] = 1;
  ExportRequest request = exporting(ExportRequest::Kind::trace, {x});
  auto drawn = [&] {
    Export made = host().export_model(request);
    EXPECT_EQ(made.escapes.size(), 1u);
    return made.escapes.at(0).value->to_double();
  };
  EXPECT_NE(drawn(), drawn());
  request.draws_as_runs = true;
  double as_run = drawn();
  EXPECT_EQ(drawn(), as_run);
  Observation run = host().run(call({x}));
  EXPECT_EQ(run.outputs.to_tensor().data<float>()[0], static_cast<float>(as_run));
}

TEST_F(WithTorch, traces_tell_what_went_past_the_tracer) {
  load("past_the_tracer");
  Export made = host().export_model(exporting(ExportRequest::Kind::trace, {floats({3, 2})}));
  ASSERT_EQ(made.ending, Ending::returned) << made.failure->message;
  std::vector<std::string> seen;
  for (const Escape& e : made.escapes) {
    int line = e.place.line - made.escapes[0].place.line;
    std::string value = e.value ? fmt::format(" {}", e.value->to_double()) : "";
    seen.push_back(fmt::format("{}{} {} +{}", e.kind, value, e.numbers.size(), line));
  }
  EXPECT_EQ(seen,
            (std::vector<std::string>{"tolist 6 +0", "data 0 +1", "random 3 0 +2", "stride 2 0 +2",
                                      "numpy 6 +2", "is_tracing 1 0 +3", "is_contiguous 1 0 +3"}));
  // Nothing listens any more.
  EXPECT_EQ(host().run(call({floats({3, 2})})).ending, Ending::returned);
}

TEST_F(WithTorch, copies_of_an_archive_keep_views_of_one_memory_apart) {
  load("RowsOfOneTable");
  Tensor x = floats({2});
  Export made = host().export_model(exporting(ExportRequest::Kind::trace, {x}));
  ASSERT_EQ(made.ending, Ending::returned) << made.failure->message;
  Observation model = host().run(call({x}));
  Observation archive = run_archive(host(), made.archive, x);
  ASSERT_EQ(archive.ending, Ending::returned);
  EXPECT_EQ(bytes(archive.outputs), bytes(model.outputs));
}

TEST_F(WithTorch, loads_a_frozen_archive) {
  // Freezing leaves no attribute `training`; parameters of archives have to go to `meta`, too.
  load("frozen");
  Export frozen = host().export_model(exporting(ExportRequest::Kind::script, {}));
  ASSERT_EQ(frozen.ending, Ending::returned) << frozen.failure->message;
  EXPECT_EQ(run_archive(host(), frozen.archive, floats({2, 4})).ending, Ending::returned);
  load("Net");
  Export plain = host().export_model(exporting(ExportRequest::Kind::trace, {floats({2, 4})}));
  EXPECT_EQ(run_archive(host(), plain.archive, floats({2, 4})).ending, Ending::returned);
  CallRequest on_meta = call({floats({2, 4})});
  on_meta.device = "meta";
  Observation seen = host().run(on_meta);
  EXPECT_EQ(seen.ending, Ending::returned) << seen.failure->message;
}

TEST_F(WithTorch, a_call_that_fails_leaves_an_archive_as_it_was) {
  // PyTorch's executor notes in the archive itself that there was no tensor, and goes by that.
  load("weighted");
  Export made =
      host().export_model(exporting(ExportRequest::Kind::trace, {floats({2}), floats({2})}));
  ASSERT_EQ(made.ending, Ending::returned) << made.failure->message;
  std::string path = ::testing::TempDir() + "weighted.pt";
  std::ofstream(path, std::ios::binary) << made.archive;
  host().load(path);
  EXPECT_EQ(host().run(call({floats({2}), Value()})).ending, Ending::raised);
  for (int turn = 0; turn < 3; ++turn) {
    Observation seen = host().run(call({floats({2}), floats({2})}));
    EXPECT_EQ(seen.ending, Ending::returned) << seen.failure->message;
  }
}

TEST_F(WithTorch, exports_a_later_call_with_what_the_one_before_left) {
  load("Net");
  ExportRequest request = exporting(ExportRequest::Kind::trace, {floats({2, 4})});
  Export first = host().export_model(request);
  host().run(request);
  request.keep = true;
  Export second = host().export_model(request);
  ASSERT_EQ(second.ending, Ending::returned) << second.failure->message;
  auto sum = [&](const Export& made) {
    Observation seen = run_archive(host(), made.archive, floats({2, 4}));
    return seen.outputs.to_tensor().data<float>()[1];
  };
  EXPECT_FLOAT_EQ(sum(second), 2 * sum(first));  // The count is 2.
}
TEST_F(WithTorch, counts_operators_where_asked) {
  load("Pinned");
  CallRequest request = call({floats({3, 2})});
  request.device_usage = true;
  Observation seen = host().run(request);
  ASSERT_TRUE(seen.device_usage.has_value());
  EXPECT_EQ(seen.device_usage->operators.at("aten.add.Tensor"), 1);
  EXPECT_GE(seen.device_usage->devices.at("cpu"), 2);
}

TEST_F(WithTorch, tells_gradients_and_the_lines_that_switch_them_off) {
  load("Scaled");
  CallRequest request = call({floats({2}, 1)});  // 1, 2
  request.grad = true;
  const double weight = std::cos(1.7);  // Of the second output; of the first it is 1.
  auto expect = [](const std::vector<double>& found, std::vector<double> wanted) {
    ASSERT_EQ(found.size(), wanted.size());
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-5);
  };
  GradientFlow flow = host().gradient_flow(request, {});
  ASSERT_EQ(flow.kind, GradientFlow::Kind::values) << flow.reason;
  EXPECT_EQ(flow.precision, std::ldexp(1, -23));
  expect(flow.values.at("args[0]"), {2, 6 * weight});
  expect(flow.values.at("parameter gain"), {1, 4 * weight});
  ASSERT_EQ(flow.switches.size(), 1U);
  EXPECT_EQ(flow.switches[0].line, 214);

  flow = host().gradient_flow(request, {.nudged = false, .ignored = flow.switches});
  expect(flow.values.at("args[0]"), {4, 12 * weight});
  EXPECT_TRUE(flow.switches.empty());
  flow = host().gradient_flow(request, {.nudged = true, .ignored = {}});
  EXPECT_NE(flow.values.at("args[0]")[0], 2);  // Moved, but little.
  expect(flow.values.at("args[0]"), {2, 6 * weight});
}

TEST_F(WithTorch, tells_the_gradients_of_parameters_where_inputs_can_have_none) {
  load("Scaled");
  CallRequest request = call({floats({2}, 1)});
  request.grad = true;
  request.method = "decorated";  // Which hands its input to NumPy.
  GradientFlow flow = host().gradient_flow(request, {});
  ASSERT_EQ(flow.kind, GradientFlow::Kind::values) << flow.reason;
  EXPECT_EQ(flow.values.size(), 1U);
  EXPECT_TRUE(flow.values.at("parameter gain").empty());
  ASSERT_EQ(flow.switches.size(), 1U);
  EXPECT_EQ(flow.switches[0].line, 218);  // The decorator's.
}

TEST_F(WithTorch, tells_what_going_back_raises) {
  load("overwritten");
  CallRequest request = call({floats({2})});
  request.grad = true;
  GradientFlow flow = host().gradient_flow(request, {});
  EXPECT_EQ(flow.kind, GradientFlow::Kind::unknown);  // It has no parameters.
  EXPECT_NE(flow.failed.find("modified by an inplace operation"), std::string::npos) << flow.failed;
}

TEST_F(WithTorch, puts_back_what_a_later_call_s_gradients_moved) {
  load("Scaled");
  CallRequest request = call({floats({2}, 1)});
  request.grad = true;
  Observation first = host().run(request);
  CallRequest later = request;
  later.keep = true;
  host().run(later);
  host().gradient_flow(later, {.nudged = true, .ignored = {}});
  Observation again = host().run(request);
  EXPECT_TRUE(again.state.empty());
  EXPECT_TRUE(core::same_bytes(again.outputs.to_tensor(), first.outputs.to_tensor()));
}

}  // namespace
}  // namespace assay::verify::host
