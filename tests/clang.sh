#!/bin/sh
# Under LANTERN_SANITIZED it links, too, and runs without what Python has loaded.
if [ -n "$LANTERN_SANITIZED" ]; then
  unset LD_PRELOAD
  exec "$(command -v clang++-14 || echo clang++)" "$@"
fi
# clang++ compiles, which takes half of g++'s time where nothing is optimised, and g++ links, which begins sooner: some 40 ms a program.
for word; do
  case $word in
    *.cpp | *.h) exec "$(command -v clang++-14 || echo clang++)" "$@" ;;
  esac
done
exec g++ "$@"
