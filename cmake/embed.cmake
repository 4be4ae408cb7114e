# Writes FILE as a C++ raw string literal to OUT.
file(READ ${FILE} text)
file(WRITE ${OUT} "R\"embedded(${text})embedded\"\n")
