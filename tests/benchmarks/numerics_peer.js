// ResNet-50 of numerics_benchmark in onnxruntime on one thread (npm package onnxruntime-node, found through NODE_PATH);
// prints "name milliseconds" of processor time, the median. The network is what PyTorch exports, kept in the folder
// for temporary files. The first argument chooses the workloads whose names contain it.
"use strict";

const { execFileSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const ort = require("onnxruntime-node");

const name = "ResNet-50, batch 8, forward";

async function main() {
  if (!name.includes(process.argv[2] || "")) return;
  const file = path.join(os.tmpdir(), `numerics_peer_${process.getuid()}.onnx`);
  if (!fs.existsSync(file))
    execFileSync("/usr/bin/python3", [path.join(__dirname, "numerics_peer.py"), "", file]);
  const session = await ort.InferenceSession.create(file, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: "all",
  });
  const x = new Float32Array(8 * 3 * 224 * 224).map(() => Math.random() - 0.5);
  const feeds = { x: new ort.Tensor("float32", x, [8, 3, 224, 224]) };
  console.log(`# onnxruntime ${ort.env.versions.common}`);
  await session.run(feeds);
  const times = [];
  for (let i = 0; i < 3; ++i) {
    const before = process.cpuUsage();
    await session.run(feeds);
    const used = process.cpuUsage(before);
    times.push((used.user + used.system) / 1000);
  }
  console.log(name, times.sort((a, b) => a - b)[1]);
}

main();
