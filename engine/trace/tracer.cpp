#include "engine/trace/tracer.h"

#include <algorithm>

#include "engine/core/elements.h"
#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"
#include "engine/trace/cleanup.h"
#include "engine/trace/expression.h"
#include "engine/trace/gradients.h"
#include "engine/trace/scopes.h"

namespace assay::trace {

using core::Tensor;
using core::TypeKind;
using core::TypePtr;
using core::Value;

namespace {

/// What the graph's inputs are typed with: tensors by all that they are, inside of containers, too.
TypePtr input_type(const Value& value) {
  if (value.is_tensor()) return ir::exact_type(value.to_tensor());
  if (!value.is_tuple() || value.tuple().named) return value.type();
  std::vector<TypePtr> members;
  for (const Value& item : value.tuple().items) members.push_back(input_type(item));
  return core::tuple_of(std::move(members));
}

const ops::Operator& item_operator(const core::DictObject& dict) {
  return ops::get_operator(dict.key->is(TypeKind::string) ? "aten::__getitem__.Dict_str"
                                                          : "aten::__getitem__.Dict_Tensor");
}

/// A number as a tensor that the graph will know.
Tensor number_tensor(int64_t number) {
  Tensor made = Tensor::empty({}, core::DType::int64);
  *made.device_data<int64_t>() = number;
  return made;
}

}  // namespace

Tracer::Tracer(ir::Unit& unit, Surroundings surroundings, bool strict)
    : unit_(unit),
      surroundings_(std::move(surroundings)),
      strict_(strict),
      graph_(std::make_shared<ir::Graph>()),
      point_(graph_->block()->return_node()) {}

// Inputs.

void Tracer::trace_module(const core::ObjectRef& self) {
  self_ = self;
  ir::Value* input = graph_->add_input("self", self->type);
  read_attributes(self, input, root_path);
}

void Tracer::read_attributes(const core::ObjectRef& object, ir::Value* self,
                             const std::string& path) {
  objects_[object.get()] = self;
  const auto& attributes = object->type->attributes();
  for (size_t i = 0; i < attributes.size(); ++i) {
    const Value& slot = object->slots[i];
    bool is_module = slot.is_object() && slot.object().type->is_module();
    if (!slot.is_tensor() && !is_module) {  // A constant wherever it is read.
      graph_->skip_id();                    // PyTorch has a value for it all the same.
      continue;
    }
    TypePtr type =
        slot.is_tensor() ? ir::exact_type(slot.to_tensor()) : TypePtr(slot.object().type);
    ir::Node* node =
        insert(graph_->create(scope_symbols().attribute, {}, std::vector<TypePtr>{type}));
    std::string inner = path + "." + attributes[i].name;
    node->set(scope_symbols().path, inner);
    // What two modules share is the first one's.
    if (slot.is_tensor()) set_value(unknown(slot.to_tensor()), node->output());
    if (is_module) read_attributes(slot.ref<core::Object>(), node->output(), inner);
  }
}

/// The tensor, or a view of all of it where the graph knows it already; the graph shows the view.
Tensor Tracer::unknown(const Tensor& tensor) {
  if (!knows(tensor)) return tensor;
  here_.reset();
  Tensor view = tensor.alias();
  ir::Value* whole = value_of(tensor);
  std::vector<ir::Value*> sizes;
  for (int64_t size : tensor.sizes()) sizes.push_back(constant(size, here()));
  ir::Value* list_of_sizes = list(core::int_type(), sizes);
  const ops::Operator& op = ops::get_operator("aten::view");
  insert_call(op, {whole, list_of_sizes}, ir::exact_type(view))->set_range(here());
  return view;
}

Value Tracer::input(const Value& argument, const std::string& name) {
  ir::Value* value = graph_->add_input(name, input_type(argument));
  if (value->has_name()) called_.try_emplace(program_name(value), value);
  return take_input(argument, value);
}

Value Tracer::take_input(const Value& argument, ir::Value* value) {
  if (argument.is_tensor()) {
    Tensor tensor = argument.to_tensor();
    tensor = unknown(tensor);  // The same tensor twice is two inputs.
    set_value(tensor, value);
    return tensor;
  }
  if (argument.is_tuple()) {
    const auto& items = argument.tuple().items;
    std::vector<TypePtr> types;
    for (const Value& item : items) types.push_back(input_type(item));
    ir::Node* parts = insert(graph_->create(ir::kinds().tuple_unpack, {value}, types));
    core::Values taken;
    for (size_t i = 0; i < items.size(); ++i) {
      taken.push_back(take_input(items[i], parts->output(i)));
    }
    return base::make_ref<core::TupleObject>(std::move(taken), argument.tuple().named);
  }
  if (argument.is_list()) {
    core::ListObject& list = argument.list();
    std::vector<TypePtr> types(list.items.size(), list.element);
    ir::Node* parts = insert(graph_->create(ir::kinds().list_unpack, {value}, types));
    core::Values taken;
    for (size_t i = 0; i < list.items.size(); ++i) {
      taken.push_back(take_input(list.items[i], parts->output(i)));
    }
    return core::make_list(list.element, std::move(taken));
  }
  if (argument.is_dict()) {
    const core::DictObject& dict = argument.dict();
    core::DictRef taken = core::make_dict(dict.key, dict.value);
    for (const auto& entry : dict.entries()) {
      taken->set(entry.key, take_input(entry.value, dict_item(dict, value, entry.key)));
    }
    return taken;
  }
  base::fail(
      "Only tensors and (possibly nested) tuples, lists and dicts of tensors can be inputs ",
      "of a trace, but one is a ", argument.kind_name(),
      ". Fix such a value with a wrapper: trace `lambda x: model(x, the_value)`, or keep it ",
      "as an attribute of the module.");
}

// Outputs.

void Tracer::output(const Value& result) {
  base::check(!result.is_none(),
              "The traced function returned nothing. What it does besides is not in a trace, so "
              "that the trace would be empty: return a tensor.");
  graph_->add_output(output_value(result));
}

ir::Value* Tracer::output_value(const Value& result) {
  if (result.is_none()) return none();
  if (result.is_tensor()) {
    auto found = known_.find(result.tensor_impl());
    base::check(found != known_.end(),
                "An output of the traced function is a tensor that the trace did not see: it is "
                "neither computed from the inputs nor by an operator while tracing. Compute it "
                "inside the function, or make it a buffer of the module.");
    return found->second.value;
  }
  if (result.is_list() && core::same_type(result.list().element, core::tensor_type())) {
    if (strict_) {
      warn(
          "The traced function returns a list: its length is fixed by this trace. Return a tuple, "
          "or trace with strict=False if that is what you want.");
    }
    std::vector<ir::Value*> items;
    for (const Value& item : result.list().items) items.push_back(output_value(item));
    return list(core::tensor_type(), items);
  }
  if (result.is_tuple()) {
    std::vector<ir::Value*> items;
    std::vector<TypePtr> types;
    for (const Value& item : result.tuple().items) {
      items.push_back(output_value(item));
      types.push_back(items.back()->type());
    }
    TypePtr type = core::tuple_of(std::move(types));
    return insert(graph_->create(ir::kinds().tuple, items, std::vector<TypePtr>{type}))->output();
  }
  if (result.is_dict()) return output_dict(result.dict());
  base::fail("Only tensors, tuples and lists of tensors, and dicts of tensors can be output from ",
             "traced functions, but one is a ", result.kind_name(), ".");
}

ir::Value* Tracer::output_dict(const core::DictObject& dict) {
  base::check(!strict_,
              "The traced function returns a dict: its keys are fixed by this trace. Return a "
              "tuple (or a NamedTuple), or trace with strict=False if that is what you want.");
  std::vector<ir::Value*> inputs;
  for (const auto& entry : dict.entries()) {
    inputs.push_back(value_of(entry.key));
    inputs.push_back(output_value(entry.value));
  }
  TypePtr type = core::dict_of(dict.key, dict.value);
  return insert(graph_->create(ir::kinds().dict, inputs, std::vector<TypePtr>{type}))->output();
}

std::shared_ptr<ir::Graph> Tracer::finish() {
  // What was told before the program called another input so, too, is of the first.
  for (const auto& [name, value] : called_) {
    if (std::string known = expression_of(value); known != name) origins_.rename(name, known);
  }
  scopes_to_methods(graph_, unit_, self_);
  normalize_names(*graph_);
  return graph_;
}

// Scopes.

void Tracer::push_scope(const std::string& path) {
  const base::SharedText& outer = scopes_.back();
  scopes_.emplace_back(outer.empty() ? path : outer.str() + "/" + path);
  ir::Node* node = insert(graph_->create(scope_symbols().block, {}, size_t{0}));
  node->set(scope_symbols().path, path);
  point_ = node->add_block()->return_node();
}

void Tracer::pop_scope() {
  scopes_.pop_back();
  point_ = point_->owner()->owner()->next();
}

// Numbers.

Tensor Tracer::size(const Tensor& tensor, int64_t dim) {
  int64_t rank = tensor.dim();
  base::check_index(
      dim >= -rank && dim < rank, "Dimension out of range (expected to be in range of [",
      -std::max<int64_t>(rank, 1), ", ", std::max<int64_t>(rank, 1) - 1, "], but got ", dim, ")");
  return measured(tensor, "aten::size.int", dim,
                  tensor.size(static_cast<size_t>(dim < 0 ? dim + rank : dim)));
}

Tensor Tracer::numel(const Tensor& tensor) {
  return measured(tensor, "aten::numel", std::nullopt, tensor.numel());
}

Tensor Tracer::measured(const Tensor& tensor, std::string_view question, std::optional<int64_t> dim,
                        int64_t number) {
  here_.reset();
  check_room();
  Tensor made = number_tensor(number);
  std::vector<ir::Value*> inputs{value_of(tensor)};
  if (dim) inputs.push_back(constant(*dim, here()));
  ir::Node* node = insert_call(ops::get_operator(question), inputs, core::int_type());
  node->set_range(here());
  core::TensorInfo info;
  info.dtype = core::DType::int64;
  info.device = core::Device{};
  info.sizes = core::Dims{};
  info.strides = core::Dims{};
  TypePtr type = std::make_shared<core::TensorType>(std::move(info));
  const ops::Operator& as_tensor = ops::get_operator("prim::NumToTensor.Scalar");
  set_value(made, insert_call(as_tensor, {node->output()}, type)->output());
  return made;
}

Value Tracer::number(const Tensor& tensor) {
  identities_.push_back({tensor, nullptr, std::nullopt});
  return Value(core::first_element(tensor))
      .with_identity(static_cast<uint32_t>(identities_.size()));
}

Value Tracer::with_origin(const Value& number, Computed computed) {
  identities_.push_back({{}, nullptr, std::move(computed)});
  return number.with_identity(static_cast<uint32_t>(identities_.size()));
}

void Tracer::wrapped(const Tensor& tensor, const Value& number) {
  if (number.identity() != 0) wrapped_.insert_or_assign(tensor.impl(), std::pair{tensor, number});
}

std::string Tracer::expression(const Tensor& tensor) const {
  return knows(tensor) ? expression_of(known_.at(tensor.impl()).value) : "a constant";
}

std::string Tracer::expression_of_size(const Tensor& tensor, int64_t dim) const {
  std::string of_dim = std::to_string(dim);
  return knows(tensor) ? trace::expression_of_size(known_.at(tensor.impl()).value, of_dim)
                       : "(a constant).size(" + of_dim + ")";
}

// Calls of functions.

Value Tracer::call_function(ir::Function& function, const core::Values& args,
                            const std::function<Value()>& run) {
  here_.reset();
  check_room();
  const ops::Schema& schema = function.schema();
  bool is_method = !args.empty() && args[0].is_object() && args[0].object().type->is_module();
  std::vector<ir::Value*> inputs;
  for (const Value& arg : args) inputs.push_back(value_of(arg));
  TypePtr result = schema.returns.empty() ? core::none_type() : schema.returns[0].type;
  ir::Node* node;
  if (is_method) {
    node = graph_->create(ir::kinds().call_method, inputs, std::vector<TypePtr>{result});
    insert(node)->set("name", function.name());
  } else {
    Value held = base::make_ref<core::FunctionObject>(function.qualified_name(), Value());
    ir::Node* callee = insert(graph_->create_constant(held));
    inputs.insert(inputs.begin(), callee->output());
    node = insert(graph_->create(ir::kinds().call_function, inputs, std::vector<TypePtr>{result}));
  }
  Value given;
  {
    base::Restore<bool> quiet = pause();
    given = run();
  }
  if (!given.is_none()) set_value(given, node->output());
  return given;
}

// Recording.

void Tracer::check_room() {
  if (nodes_ < most_nodes_) return;
  base::fail_for_want_of(base::Resource::memory, "the trace has ", nodes_,
                         " nodes, more than the limit of ", most_nodes_,
                         " allows: a loop of the program may never end with these inputs. Give it "
                         "others, script the loop, or raise the limit with "
                         "torch.jit.set_trace_limit(nodes).");
}

ir::Node* Tracer::insert(ir::Node* node) {
  ++nodes_;
  return node->set_scope(scopes_.back())->insert_before(point_);
}

ir::Node* Tracer::insert_call(const ops::Operator& op, const std::vector<ir::Value*>& inputs,
                              const TypePtr& result) {
  return insert(graph_->create(op.symbol, inputs, std::vector{result}))->set_op(&op);
}

ir::Value* Tracer::dict_item(const core::DictObject& dict, ir::Value* from, const Value& key) {
  ir::Value* wanted = constant(key, {});
  return insert_call(item_operator(dict), {from, wanted}, dict.value)->set_range(here())->output();
}

ir::Value* Tracer::none() { return insert(graph_->create_constant(Value()))->output(); }

ir::Value* Tracer::constant(const Value& value, const base::SourceRange& range) {
  ir::Node* node = insert(graph_->create_constant(value));
  if (range) node->set_range(range);
  return node->output();
}

ir::Value* Tracer::list(const TypePtr& element, const std::vector<ir::Value*>& items) {
  TypePtr type = core::list_of(element);
  return insert(graph_->create(ir::kinds().list, items, std::vector<TypePtr>{type}))->output();
}

const base::SourceRange& Tracer::here() {
  if (!here_) here_ = place();
  return *here_;
}

base::SourceRange Tracer::place() const {
  return surroundings_.place ? surroundings_.place() : base::SourceRange();
}

void Tracer::warn(const std::string& message) const {
  if (surroundings_.warn) surroundings_.warn(message);
}

ir::Value* Tracer::value_of(const Tensor& tensor) {
  if (!tensor.defined()) return none();
  auto found = known_.find(tensor.impl());
  if (found == known_.end()) {
    base::check(!needs_gradients(tensor),
                "A tensor that requires grad cannot become a constant of the trace. Make it a "
                "parameter of the module or an input, or detach() it.");
    ir::Value* made = constant(tensor, here());
    // Nobody can come back with the tensor of a number that stands beside another tensor.
    if (!tensor.impl()->wrapped_number) set_value(tensor, made);
    return made;
  }
  ir::Value* value = found->second.value;
  if (!value->has_name() && surroundings_.name_of) {
    value->set_name(surroundings_.name_of(tensor));
    if (value->node()->is_sentinel()) called_.try_emplace(program_name(value), value);
  }
  return value;
}

ir::Value* Tracer::value_of(const Value& value) {
  if (value.is_tensor()) return value_of(value.to_tensor());
  if (value.is_list() && core::same_type(value.list().element, core::tensor_type())) {
    std::vector<ir::Value*> items;
    for (const Value& item : value.list().items) items.push_back(value_of(item));
    return list(core::tensor_type(), items);
  }
  if (value.is_tuple()) {
    std::vector<ir::Value*> items;
    std::vector<TypePtr> types;
    for (const Value& item : value.tuple().items) {
      items.push_back(value_of(item));
      types.push_back(items.back()->type());
    }
    TypePtr type = core::tuple_of(std::move(types));
    return insert(graph_->create(ir::kinds().tuple, items, std::vector<TypePtr>{type}))->output();
  }
  if (value.is_dict()) {
    std::vector<ir::Value*> inputs;
    for (const auto& entry : value.dict().entries()) {
      inputs.push_back(value_of(entry.key));
      inputs.push_back(value_of(entry.value));
    }
    TypePtr type = core::dict_of(value.dict().key, value.dict().value);
    return insert(graph_->create(ir::kinds().dict, inputs, std::vector<TypePtr>{type}))->output();
  }
  if (value.is_object()) {
    auto found = objects_.find(&value.object());
    base::check(found != objects_.end(), "The trace does not know the ",
                value.object().type->name(),
                " that is called: make it a submodule of what is traced.");
    return found->second;
  }
  return constant(value, here());
}

bool Tracer::knows(const Tensor& tensor) const {
  auto found = known_.find(tensor.impl());
  return found != known_.end() && !found->second.value->node()->is(ir::kinds().constant);
}

void Tracer::set_value(const Tensor& tensor, ir::Value* to) {
  known_.insert_or_assign(tensor.impl(), Known{tensor, to});
  if (known_.size() >= let_go_at_) let_go();
}

/// What an operator gave.
void Tracer::set_result(const Tensor& tensor, ir::Value* to) {
  to->set_type(ir::exact_type(tensor));
  set_value(tensor, to);
  // Those that come next shall have the memory of those before while the caches still have it, too;
  // to look costs a few nanoseconds for each that is known.
  constexpr size_t part_of_a_cache = size_t{1} << 20, bytes_for_a_look = 4096;
  fresh_bytes_ += tensor.storage()->nbytes();
  if (fresh_bytes_ > std::max(part_of_a_cache, bytes_for_a_look * known_.size())) let_go();
}

void Tracer::let_go() {
  auto nobody_else_holds = [](const auto& entry) { return entry.first->use_count() == 1; };
  size_t gone = 0;
  do {  // A view holds what it is a view of.
    gone = std::erase_if(known_, nobody_else_holds);
  } while (gone > 0);
  let_go_at_ = std::max<size_t>(64, 2 * known_.size());
  fresh_bytes_ = 0;
}

void Tracer::set_value(const Value& value, ir::Value* to) {
  if (value.is_tensor()) {
    set_value(value.to_tensor(), to);
  } else if (value.is_list()) {
    const auto& items = value.list().items;
    std::vector<TypePtr> types(items.size(), value.list().element);
    ir::Node* parts = insert(graph_->create(ir::kinds().list_unpack, {to}, types));
    for (size_t i = 0; i < items.size(); ++i) set_value(items[i], parts->output(i));
  } else if (value.is_tuple()) {
    std::vector<TypePtr> types;
    for (const TypePtr& member : to->type()->contained()) types.push_back(member);
    ir::Node* parts = insert(graph_->create(ir::kinds().tuple_unpack, {to}, types));
    const auto& items = value.tuple().items;
    for (size_t i = 0; i < items.size(); ++i) set_value(items[i], parts->output(i));
  } else if (value.is_dict()) {
    for (const auto& entry : value.dict().entries()) {
      set_value(entry.value, dict_item(value.dict(), to, entry.key));
    }
  } else if (value.is_object()) {
    objects_[&value.object()] = to;
  } else {
    base::fail("The trace cannot follow the result of a call that is a ", value.kind_name(),
               ": let the called function return tensors.");
  }
}

}  // namespace assay::trace
