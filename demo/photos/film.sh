#!/bin/sh
# Encodes the hero video from the frames of turn.py: film.sh FRAMES TARGET (without extension)
set -eu
frames=$1 target=$2
cycle=$(mktemp -d)
trap 'rm -rf "$cycle"' EXIT
# forwards and backwards, with each end frame once, so that the video loops without a pause
n=0
for i in $(seq 0 105) $(seq 104 -1 1); do
  ln -s "$(realpath "$frames")/$(printf 'frame-%03d.png' "$i")" "$cycle/$(printf '%03d.png' "$n")"
  n=$((n + 1))
done
look='unsharp=5:5:0.35,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'
tags='-an -color_primaries bt709 -color_trc bt709 -colorspace bt709'
film() { nice -n 19 ffmpeg -loglevel error -y -framerate 30 -i "$cycle/%03d.png" -vf "$look" "$@"; }
# shellcheck disable=SC2086 -- the tags are several words
film -c:v libx264 -preset slow -crf 20 -profile:v high -movflags +faststart $tags "$target.mp4"
# shellcheck disable=SC2086
film -c:v libsvtav1 -preset 5 -crf 30 -g 240 $tags "$target.webm"
