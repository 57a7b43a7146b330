"""shared.py: a model in the text of tflite.py, of sums with as many constants in
one buffer."""

COUNT = 300
lines = ["MODEL shared", "  tensor x float32 40000",
         "  tensor c0 float32 40000 data=fill:1"]
lines += [f"  tensor c{i} float32 40000 buffer=1" for i in range(1, COUNT)]
lines += [f"  tensor y{i} float32 40000" for i in range(COUNT)]
last = "x"
for i in range(COUNT):
    lines.append(f"  op ADD {last} c{i} -> y{i}")
    last = f"y{i}"
print("\n".join(lines + ["  in x", f"  out {last}", "END"]))
