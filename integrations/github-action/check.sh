#!/usr/bin/env bash
# Runs `docent check` as action.yml says. Ends as the check does: 0 no errors, 1 errors, 2 the check could not run.
set -euo pipefail

program="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/packages/docs-check/src/main.ts"

options=()
case "${DOCENT_CHECK_SINCE:-}" in
  none) ;;
  '') if [ -n "${DOCENT_CHECK_BASE:-}" ]; then options+=(--changed-since "origin/$DOCENT_CHECK_BASE"); fi ;;
  *) options+=(--changed-since "$DOCENT_CHECK_SINCE") ;;
esac
if [ -n "${DOCENT_CHECK_SITE:-}" ]; then options+=(--site "$DOCENT_CHECK_SITE"); fi
if [ "${DOCENT_CHECK_STRICT:-false}" = true ]; then options+=(--strict); fi

# The first one reads the pages for the others.
cache="$(mktemp -d)"
trap 'rm -rf "$cache"' EXIT
check() {
  node "$program" ${options[@]+"${options[@]}"} --cache "$cache/facts" "$@" -- "${DOCENT_CHECK_PATH:-.}"
}

code=0
check --format github || code=$?
if [ "$code" -le 1 ]; then
  if [ -n "${DOCENT_CHECK_SARIF:-}" ]; then check --format sarif --output "$DOCENT_CHECK_SARIF" > "$cache/out" || [ $? -eq 1 ]; fi
  if [ -n "${DOCENT_CHECK_HTML:-}" ]; then check --format html --output "$DOCENT_CHECK_HTML" > "$cache/out" || [ $? -eq 1 ]; fi
fi
exit "$code"
