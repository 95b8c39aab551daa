#!/usr/bin/env bash
# A recipe for a Raspberry Pi that is a companion from the moment it has power. NOT YET TRIED ON A PI: see docs/untested.md.
#
# 1. Write Raspberry Pi OS Lite (64-bit, Bookworm or newer) to a card; give it a user, a network and ssh in the imager.
# 2. On the Pi, as that user, with a microphone and a loudspeaker plugged in: clone this repository, and run this script in it.
# 3. Reboot. To make more cards, read this one back with the imager; the models and the built library are on it.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ "$(uname -m)" = aarch64 ] || { printf 'companion: this is for a 64-bit Raspberry Pi OS\n' >&2; exit 1; }

# Lite has no sound server; PipeWire shares the devices and follows a plug that is pulled.
sudo apt-get update
sudo apt-get install -y --no-install-recommends git g++ python3-venv libportaudio2 libasound2-plugins \
    pipewire pipewire-pulse pipewire-alsa wireplumber
systemctl --user enable --now pipewire pipewire-pulse wireplumber

# Building the language model library takes more memory than a small Pi has.
if [ "$(awk '/MemTotal/ { print int($2 / 1024) }' /proc/meminfo)" -lt 3000 ]; then
    export CMAKE_BUILD_PARALLEL_LEVEL=1
fi
./run --version
packaging/service.sh install
sudo loginctl enable-linger "$USER"
