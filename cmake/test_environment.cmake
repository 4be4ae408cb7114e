# CTest reads this before it runs tests, which get its environment: OpenMP's threads that wait leave the
# cores to the tests beside them, instead of turning in a loop.
set(ENV{OMP_WAIT_POLICY} passive)
