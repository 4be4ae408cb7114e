# Writes a C++ file with the text of every Python file in FOLDER.
# Use: cmake -DFOLDER=... -DOUT=... -P embed.cmake
file(GLOB paths ${FOLDER}/*.py)
list(SORT paths)
get_filename_component(package ${FOLDER} NAME)
set(rows "")
foreach(path ${paths})
  get_filename_component(stem ${path} NAME_WE)
  set(name "${package}.${stem}")
  if(stem STREQUAL "__init__")
    set(name "${package}")
  endif()
  file(READ ${path} text)
  string(APPEND rows "    {\"${name}\", R\"py_text(${text})py_text\"},\n")
endforeach()
file(WRITE ${OUT} "#include \"verify/host/host_program.h\"

namespace assay::verify::host {

namespace {
constexpr HostModule kModules[] = {
${rows}};
}  // namespace

std::span<const HostModule> host_modules() { return kModules; }

}  // namespace assay::verify::host
")
