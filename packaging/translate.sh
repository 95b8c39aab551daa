#!/usr/bin/env bash
# Brings the texts of the window into assets/translations, and makes of them what Qt reads: packaging/translate.sh
# What is new stands there as unfinished until somebody writes it; Qt's Linguist, or any editor, opens the files.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tools=${COMPANION_TOOLS:-$top/.venv/bin}
folder=$top/assets/translations

cd "$top"
mkdir -p "$folder"
sources=()
while IFS= read -r file; do sources+=("$file"); done < <(find companion/ui -name '*.py' | LC_ALL=C sort)
"$tools/pyside6-lupdate" -no-obsolete -locations none -pluralonly -source-language en -target-language en \
    "${sources[@]}" -ts "$folder/companion_en.ts"
"$tools/pyside6-lupdate" -no-obsolete -locations none -source-language en -target-language zh_CN \
    "${sources[@]}" -ts "$folder/companion_zh_CN.ts"
for language in en zh_CN; do
    "$tools/pyside6-lrelease" -silent "$folder/companion_$language.ts" -qm "$folder/companion_$language.qm"
done
