#!/usr/bin/env bash
# Installs the companion as a service of your user, or takes it away: packaging/service.sh install | remove
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
unit=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user/companion.service

find_program() {
    if [ -x "$here/../.venv/bin/companion" ]; then
        (cd "$here/../.venv/bin" && printf '%s/companion' "$PWD")
    else
        command -v companion
    fi
}

case ${1:-} in
install)
    program=$(find_program) || {
        printf 'companion: no companion is installed here\n           type: ./run --version\n' >&2
        exit 1
    }
    mkdir -p "$(dirname "$unit")"
    # Spaces and percent signs mean something to systemd.
    escaped=$(printf '%s' "$program" | sed 's/%/%%/g; s/[&|\\]/\\&/g')
    sed "s|^ExecStart=.*|ExecStart=\"$escaped\" --headless|" "$here/companion.service" >"$unit"
    systemctl --user daemon-reload
    systemctl --user enable --now companion.service
    printf 'companion: it starts with your session now; to have it run without one, type: loginctl enable-linger\n' >&2
    ;;
remove)
    systemctl --user disable --now companion.service || true
    rm -f "$unit"
    systemctl --user daemon-reload
    ;;
*)
    printf 'usage: packaging/service.sh install | remove\n' >&2
    exit 2
    ;;
esac
