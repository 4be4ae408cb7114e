# Makes TO the package whose modules are links to those in FROM.
file(GLOB modules RELATIVE ${FROM} ${FROM}/*)
list(REMOVE_ITEM modules __pycache__)
file(MAKE_DIRECTORY ${TO})
foreach(module ${modules})
  file(CREATE_LINK ${FROM}/${module} ${TO}/${module} SYMBOLIC)
endforeach()
