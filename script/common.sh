# shellcheck shell=bash
# What script/setup, script/quickstart and script/test share: the repository's root, and how they speak.
# Sourced by bash, never run. Every step says what it does and when, in seconds since the script began.

ZELLIGE_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# say WORDS...: one line with the elapsed time.
say() { printf '[%4ds] %s\n' "$SECONDS" "$*"; }

# fail WORDS...: the reason in one sentence, and the end.
fail() {
  printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# step WORDS... -- COMMAND...: says the words, runs the command, and names the step that failed.
step() {
  local words=()
  while [[ $1 != -- ]]; do
    words+=("$1")
    shift
  done
  shift
  say "${words[*]}"
  "$@" || fail "the step '${words[*]}' failed with status $? (command: $*)"
}

# set_up: script/setup, and the environment of a build that finds what it made.
set_up() {
  step "setting up this machine" -- "$ZELLIGE_ROOT/script/setup"
  ZELLIGE_PREFIX=$("$ZELLIGE_ROOT/script/setup" --print-prefix)
  # A second copy of the sources in another folder then finds the first one's objects in ccache.
  export ZELLIGE_PREFIX CCACHE_BASEDIR=$ZELLIGE_ROOT CCACHE_NOHASHDIR=1
}
