# Compiler settings, and the two ways in which a folder becomes a target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")

find_program(ASSAY_CCACHE ccache)
if(ASSAY_CCACHE)
  # Without this it compiles whatever uses precompiled headers anew (its manual, "Precompiled headers").
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ASSAY_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-fpch-preprocess)
  else()
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()
find_program(ASSAY_MOLD mold)
if(ASSAY_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# OpenMP for every file, not only for the kernels that use it: one set of options for all, so that they
# can share precompiled headers.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Werror -fopenmp)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Looking for memory that it could use again takes g++ a tenth of its time, for a sixth less memory.
  add_compile_options(--param=ggc-min-heapsize=1048576)
endif()
if(ASSAY_BATCHES AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # A source in a batch is a header to it, and the unnamed namespace of a header would be another one in
  # each file that includes it.
  add_compile_options(-Wno-subobject-linkage)
endif()
if(ASSAY_SANITIZE)
  # The preset takes clang, which compiles instrumented code in about half of g++'s time and looks for
  # more. Optimizing such code takes two to three times as long as compiling it.
  set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
  # At a fixed address: the sanitizers' tables hold millions of pointers, and adjusting them was most of
  # what a test that starts the program waited for.
  add_compile_options(-fno-pie)
  add_link_options(-no-pie)
  # Each use of a pointer is checked: texts for each of these checks were a tenth of all compiling. One that
  # fails stops the program, and the address sanitizer tells where (handle_sigill).
  add_compile_options(-fsanitize-trap=null,alignment)
endif()
if(ASSAY_SANITIZE OR ASSAY_FUZZERS)
  # A float beyond the range of an integer becomes what the processor makes of it, as in PyTorch.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=float-cast-overflow
    -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_compile_definitions(ASSAY_SANITIZED)
  add_link_options(-fsanitize=address,undefined)
endif()
if(ASSAY_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# What most files include, parsed once. CMAKE_DISABLE_PRECOMPILE_HEADERS=ON shows where an include is
# missing that these headers hide. Above engine/core its values and tensors are among them.
set(precompiled_standard <algorithm> <array> <atomic> <cmath> <complex> <cstdint> <cstring> <functional>
  <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream> <string> <string_view>
  <tuple> <unordered_map> <unordered_set> <utility> <variant> <vector> <fmt/core.h>)
set(precompiled_headers ${precompiled_standard} <engine/core/value.h>)

# assay_precompile(<target> <header>...): a target that only precompiles these headers, for others to
# reuse. One is needed for each set of compiler options.
function(assay_precompile target)
  add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()
assay_precompile(assay_precompiled ${precompiled_headers})
# Which of these targets the libraries of a folder and its subfolders take.
set(assay_precompiled assay_precompiled)

# assay_folders(<folder>...): add_subdirectory for each that is there, in the given order.
macro(assay_folders)
  foreach(folder ${ARGN})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
      add_subdirectory(${folder})
    endif()
  endforeach()
endmacro()

# assay_library(<target> [WRAPPING] [LINK <target>...]): a static library of every .cpp in this folder
# (not of its subfolders). What it links is what its files may include. WRAPPING: signed integers wrap
# around in it, as the elements of PyTorch's integer tensors do.
function(assay_library target)
  cmake_parse_arguments(ARG "WRAPPING" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC ${ARG_LINK})
  if(ARG_WRAPPING)
    target_compile_options(${target} PRIVATE -fwrapv)
    target_precompile_headers(${target} PRIVATE ${precompiled_headers})
  else()
    target_precompile_headers(${target} REUSE_FROM ${assay_precompiled})
  endif()
endfunction()

# assay_optimize_less(): for a folder whose code runs a few times in a run of the program and leaves what
# takes long to others: it compiles in three quarters of the time.
macro(assay_optimize_less)
  string(REPLACE -O2 -O1 CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endmacro()

# What a test does itself is not worth the time that optimizing it takes.
set(test_options -O0)

# Allocations that must fail are told by a null pointer, as without the sanitizer. Where memory came
# from is kept for five frames, not thirty: unlike stacks by the million took a third of all time. Freed
# memory is watched for the last 64 MB instead of 256.
set(asan_options
  handle_sigill=1:allocator_may_return_null=1:malloc_context_size=5:quarantine_size_mb=64)

# Properties draw fewer cases under sanitizers, where each takes ten times as long: what is false of
# values, the fast build finds.
if(ASSAY_SANITIZE)
  set(property_parameters "RC_PARAMS=max_success=8")
endif()

# Every program that assay_test makes.
add_custom_target(unit_tests)

# assay_test(<program> LINK <target>... [SOURCES <file>...]): one GoogleTest program of every .cpp in
# this folder, or of the files that are named, registered with CTest, labelled `unit`.
function(assay_test name)
  cmake_parse_arguments(ARG "" "" "LINK;SOURCES" ${ARGN})
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} assay_test_support)
  target_precompile_headers(${name} REUSE_FROM assay_test_precompiled)
  target_compile_options(${name} PRIVATE ${test_options})
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  add_dependencies(unit_tests ${name})
  # Properties draw new cases in every run; one that fails prints what repeats it.
  set_tests_properties(${name} PROPERTIES LABELS unit ENVIRONMENT
    "ASAN_OPTIONS=${asan_options};${property_parameters}")
endfunction()

# assay_embed(<target> <file>...): makes each file includable as a string literal, under its path
# with `.inc` behind: #include "reports/html/page.css.inc".
function(assay_embed target)
  foreach(file ${ARGN})
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    file(RELATIVE_PATH relative ${PROJECT_SOURCE_DIR} ${source})
    set(out ${PROJECT_BINARY_DIR}/embedded/${relative}.inc)
    add_custom_command(
      OUTPUT ${out}
      COMMAND ${CMAKE_COMMAND} -DFILE=${source} -DOUT=${out} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
      DEPENDS ${source} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
      VERBATIM)
    target_sources(${target} PRIVATE ${out})
  endforeach()
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/embedded)
endfunction()

# assay_list_sources(<folder> <out>): `target;file` for every source of what is built in a folder and below.
function(assay_list_sources folder out)
  set(lines)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "EXECUTABLE|_LIBRARY$" AND NOT type STREQUAL INTERFACE_LIBRARY)
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
      get_target_property(home ${target} SOURCE_DIR)
      get_target_property(sources ${target} SOURCES)
      foreach(source ${sources})
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${home} NORMALIZE)
        if(source MATCHES "[.](cpp|cu)$" AND EXISTS ${source})
          string(APPEND lines "${target};${source}\n")
        endif()
      endforeach()
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below ${folders})
    assay_list_sources(${below} more)
    string(APPEND lines "${more}")
  endforeach()
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# assay_order_sources(<target> <file>...): these are compiled first, in this order where they are one batch.
function(assay_order_sources target)
  get_target_property(home ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  set(others)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${home} NORMALIZE OUTPUT_VARIABLE file)
    if(NOT file IN_LIST ARGN)
      list(APPEND others ${source})
    endif()
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${ARGN} ${others})
endfunction()

# assay_compile_batches(): what the sources of a target include, and what they instantiate alike, is
# compiled once for several of them: in less than half of the time. Names that files have for themselves
# keep them apart where they could be taken for each other (cmake/batches.py).
function(assay_compile_batches)
  assay_list_sources(${PROJECT_SOURCE_DIR} sources)
  file(WRITE ${PROJECT_BINARY_DIR}/sources.txt "${sources}")
  set(batches ${PROJECT_BINARY_DIR}/batches.cmake)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/batches.py ${PROJECT_SOURCE_DIR}
            ${PROJECT_BINARY_DIR}/sources.txt ${batches}
    COMMAND_ERROR_IS_FATAL ANY)
  include(${batches})
endfunction()
