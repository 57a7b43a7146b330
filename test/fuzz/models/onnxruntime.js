// Runs the models of a folder with ONNX Runtime, as ModelBatch.c does with xc.
//
// usage: node onnxruntime.js PEERS FOLDER FIRST LAST [LEVEL]
// PEERS is a folder with node_modules/onnxruntime-node. LEVEL is what is
// optimised: disabled, unless given.
"use strict";

const fs = require("fs");
const path = require("path");
const [peers, folder, first, last, level] = process.argv.slice(2);
const ort = require(path.resolve(peers, "node_modules/onnxruntime-node"));

const types = {
  f32: ["float32", Float32Array], f64: ["float64", Float64Array],
  f16: ["float16", Uint16Array], i8: ["int8", Int8Array],
  u8: ["uint8", Uint8Array], i16: ["int16", Int16Array],
  u16: ["uint16", Uint16Array], i32: ["int32", Int32Array],
  u32: ["uint32", Uint32Array], i64: ["int64", BigInt64Array],
  u64: ["uint64", BigUint64Array], bool: ["bool", Uint8Array],
};
const names = {};
for (const name in types) names[types[name][0]] = name;

function line(data, at) {
  const end = data.indexOf(10, at);
  return [data.toString("utf8", at, end), end + 1];
}

function readInputs(file) {
  const data = fs.readFileSync(file), feeds = {};
  for (let at = 0; at < data.length;) {
    let head, count;
    [head, at] = line(data, at);
    [count, at] = line(data, at);
    const [name, type, dims] = head.split(" ");
    const bytes = data.subarray(at, at + Number(count));
    at += Number(count);
    let memory = new ArrayBuffer(bytes.length);
    new Uint8Array(memory).set(bytes);
    let array = new types[type][1](memory);
    if (type === "f16" && typeof Float16Array !== "undefined")
      array = new Float16Array(memory);
    feeds[name] = new ort.Tensor(types[type][0], array,
      dims === "-" ? [] : dims.split("x").map(Number));
  }
  return feeds;
}

function bytesOf(tensor) {
  const a = tensor.data;
  return Buffer.from(a.buffer, a.byteOffset, a.byteLength);
}

async function run(number) {
  const base = path.join(folder, String(number));
  const pieces = [];
  let session;
  try {
    session = await ort.InferenceSession.create(base + ".onnx", {
      graphOptimizationLevel: level || "disabled", logSeverityLevel: 4,
      intraOpNumThreads: 1, interOpNumThreads: 1,
    });
    const all = readInputs(base + ".in"), feeds = {};
    for (const name of session.inputNames) feeds[name] = all[name];
    const results = await session.run(feeds);
    for (const name of session.outputNames) {
      const t = results[name], bytes = bytesOf(t);
      pieces.push(Buffer.from(`${name} ${names[t.type]} ${
        t.dims.join("x") || "-"}\n${bytes.length}\n`), bytes);
    }
    pieces.push(Buffer.from("end\n"));
    fs.writeFileSync(base + ".peer", Buffer.concat(pieces));
  } catch (error) {
    const text = String(error.message || error).replace(/\s+/g, " ");
    fs.writeFileSync(base + ".peer", `error ${text}\nend\n`);
  }
  if (session) await session.release();
}

(async () => {
  for (let i = Number(first); i <= Number(last); ++i) await run(i);
})();
