#include "engine/interp/autocast.h"

#include "engine/base/error.h"

namespace assay::interp {
namespace {

bool is_autocast(const std::string& class_name) {
  return class_name.ends_with("amp.autocast_mode.autocast") &&
         (class_name == "__torch__.torch.amp.autocast_mode.autocast" ||
          class_name == "__torch__.torch.cpu.amp.autocast_mode.autocast" ||
          class_name == "__torch__.torch.cuda.amp.autocast_mode.autocast");
}

}  // namespace

std::unique_ptr<ops::AutocastRegion> autocast_region(ops::Context& context,
                                                     const core::Object& object) {
  if (!is_autocast(object.type->name())) return nullptr;
  const std::string& kind = object.attribute("device").to_string();
  auto device = core::parse_device(kind);
  bool known =
      device && (device->type == core::DeviceType::cpu || device->type == core::DeviceType::cuda);
  if (!known) base::unsupported("autocast on '", kind, "': only cpu and cuda are known");
  auto dtype = core::dtype_from_number(object.attribute("fast_dtype").to_int());
  base::check(dtype.has_value(),
              "autocast to a type that does not exist: ", object.attribute("fast_dtype").to_int());
  ops::AutocastMode mode{object.attribute("_enabled").to_bool(), *dtype};
  return std::make_unique<ops::AutocastRegion>(context, device->type, mode,
                                               ops::AutocastRegion::Rules::script);
}

}  // namespace assay::interp
