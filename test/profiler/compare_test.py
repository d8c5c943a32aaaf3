"""The comparison with cuDNN, without a GPU or PyTorch: lists, groups, means, the page, and zellige.h through ctypes.

  compare_test.py --compare FOLDER --library libzellige.so --runtime LIBRARY --prefix hip|cuda
"""

import argparse
import ctypes
import os
import struct
import sys
import tempfile
import unittest

parser = argparse.ArgumentParser()
for name in ("compare", "library", "runtime", "prefix"):
    parser.add_argument("--" + name, required=True)
options, rest = parser.parse_known_args()
sys.dont_write_bytecode = True
sys.path.insert(0, options.compare)

import problems  # noqa: E402
import report as reports  # noqa: E402
import zellige  # noqa: E402

TAIL = " -c 64 -H 56 -W 28 -k 32 -y 3 -x 3 -p 1 -q 1 -u 2 -v 1 -l 1 -j 1 -m conv -g 1 -F 1 -t 1 --in_layout NHWC"


class Lists(unittest.TestCase):

    def read(self, text, batches=("listed",), grouped=False):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(text)
            file.flush()
            return problems.read_list(file.name, list(batches), grouped)

    def test_a_driver_line(self):
        layer = problems.parse_driver_line("MIOpenDriver convbfp16 -n 4" + TAIL)
        self.assertEqual((layer.n, layer.c, layer.k, layer.size, layer.stride), (4, 64, 32, (56, 28), (2, 1)))
        self.assertEqual(layer.dtype, "bf16")
        self.assertEqual(layer.outputs(), (28, 28))
        self.assertEqual(layer.flops(), 2 * 4 * 28 * 28 * 32 * 9 * 64)
        self.assertEqual(layer.elements(), (4 * 56 * 28 * 64, 32 * 9 * 64, 4 * 28 * 28 * 32))

    def test_lines_that_are_none(self):
        for line in ("bananas", "convbfp16 -n x" + TAIL, "conv -n 1 -c 3 -H 2 -W 2 -k 8 -y 5 -x 5",
                     "convfp16 -n 1 -c 8 -H 4 -W 4 -k 8 -g 3", "conv -n 1 -F 2"):
            with self.assertRaises(problems.BadLine, msg=line):
                problems.parse_driver_line(line)

    def test_batches_and_groups(self):
        grouped = "convbfp16 -n 8 -c 64 -H 14 -W 14 -k 64 -y 3 -x 3 -p 1 -q 1 -g 64\n"
        text = "# a comment\nconvbfp16 -n 4" + TAIL + "\n" + grouped + "nonsense\n"
        found, notices = self.read(text, ("listed", "1"))
        self.assertEqual([(p.n, p.listed) for p in found], [(4, True), (1, False)])
        self.assertEqual(len(notices), 2)
        self.assertIn(":4: skipped", notices[0])
        found, _ = self.read(text, ("listed",), True)
        self.assertEqual([p.groups for p in found], [1, 64])
        found, _ = self.read("convbfp16 -n 1" + TAIL + "\n", ("listed", "1"))
        self.assertEqual(len(found), 1, "n = 1 is listed: once is enough")

    def test_groups_of_means(self):
        layer = lambda text: problems.parse_driver_line("convbfp16 " + text).groups_of_means()
        self.assertEqual(layer("-n 32 -c 64 -H 56 -W 56 -k 64 -y 3 -x 3"), ["dense 3x3 and 1x1"])
        self.assertEqual(layer("-n 1 -c 64 -H 14 -W 14 -k 64 -y 1 -x 1"),
                         ["dense 3x3 and 1x1", "n=1, images up to 14x14"])
        self.assertEqual(layer("-n 32 -c 3 -H 224 -W 224 -k 64 -y 3 -x 3"), ["patch embeddings and stems"])
        self.assertEqual(layer("-n 32 -c 64 -H 56 -W 56 -k 64 -y 2 -x 2 -u 2 -v 2"), ["other"])
        self.assertEqual(layer("-n 32 -c 64 -H 56 -W 56 -k 64 -g 64"), ["grouped"])

    def test_gemms(self):
        self.assertEqual(problems.parse_gemm("16x8x4"), problems.Gemm(16, 8, 4, "bf16", "rc"))
        self.assertEqual(problems.parse_gemm("16x8x4:f16:rr"), problems.Gemm(16, 8, 4, "f16", "rr"))
        for text in ("16x8", "0x1x1", "1x1x1:f64", "1x1x1:f16:xy"):
            with self.assertRaises(problems.BadLine, msg=text):
                problems.parse_gemm(text)


class Reports(unittest.TestCase):

    def layer(self, label, ratio, **more):
        return {"label": label, "groups": ["gemm"], "status": "ok", "why": "", "us": 10.0, "peer_us": 10.0 * ratio,
                "ratio": ratio, "floor_us": 5.0, "split_k": 1, "instance": "gemm_x", "error": 1e-3,
                "peer_error": 1e-3} | more

    def test_means(self):
        lost = {"label": "lost", "groups": ["gemm"], "status": "error", "why": "no"}
        groups = reports.summarize([self.layer("a", 0.5), self.layer("b", 8.0, best_ratio=32.0), lost])
        self.assertEqual((groups["gemm"]["layers"], groups["gemm"]["compared"]), (3, 2))
        self.assertAlmostEqual(groups["gemm"]["geometric_mean"], 2.0)
        self.assertAlmostEqual(groups["gemm"]["best_geometric_mean"], 4.0)
        self.assertAlmostEqual(groups["gemm"]["over_floor"], 2.0)
        self.assertEqual(groups["gemm"]["below_1"], ["a"])

    def test_rank_correlation(self):
        self.assertAlmostEqual(reports.rank_correlation([1, 2, 3], [10, 20, 90]), 1.0)
        self.assertAlmostEqual(reports.rank_correlation([1, 2, 3], [3, 2, 1]), -1.0)
        self.assertAlmostEqual(reports.rank_correlation([1, 2, 2, 3], [1, 2, 2, 3]), 1.0)
        self.assertIsNone(reports.rank_correlation([1, 2], [1, 2]))
        self.assertIsNone(reports.rank_correlation([1, 1, 1], [1, 2, 3]))

    def test_the_page_and_the_lines(self):
        layers = [self.layer("<a>", 0.5), self.layer("b", 2.0, best_ratio=3.0, selected_over_best=0.7),
                  {"label": "c", "groups": ["gemm"], "status": "wrong", "why": "3 elements & more",
                   "instance": "gemm_y"}]
        report = {"zellige": "0.1.0", "device": {"name": "X"}, "layers": layers, "groups": reports.summarize(layers),
                  "ceilings": {"bytes_per_s": 4e12, "flops_per_s": 8e14, "empty_us": 2.0}}
        page = reports.to_html(report)
        self.assertIn("&lt;a&gt;", page)
        self.assertIn("3 elements &amp; more", page)
        self.assertIn("<svg", page)
        self.assertNotIn("<a>", page)
        self.assertIn("ratio  0.50", reports.line_of(layers[0]))
        self.assertIn("wrong: 3 elements & more [gemm_y]", reports.line_of(layers[2]))
        self.assertEqual(reports.tail_of(report)[-1], "WRONG: c")


class Binding(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.runtime = ctypes.CDLL(options.runtime, mode=ctypes.RTLD_GLOBAL)
        cls.library = zellige.Library(options.library)
        cls.arch = 2 if options.prefix == "hip" else 8  # gfx942, sm_90
        # A simulated device is there for a target whose code is loaded.
        cls.library.call("instance_count", cls.arch, ctypes.byref(ctypes.c_size_t()))

    def test_version_and_names(self):
        self.assertRegex(self.library.version(), r"^\d+\.\d+\.\d+$")
        self.assertEqual(self.library.arch_name(self.arch), "gfx942" if options.prefix == "hip" else "sm_90")

    def test_ranking_and_plans(self):
        layer = problems.parse_driver_line("convbfp16 -n 1 -c 64 -H 14 -W 14 -k 64 -y 3 -x 3 -p 1 -q 1")
        problem = layer.make(self.library)
        info = problem.describe()
        self.assertEqual(info.flops, layer.flops())
        self.assertEqual(tuple(info.outputs)[:2], layer.outputs())
        self.assertEqual((info.bytes_a, info.bytes_b, info.bytes_c), tuple(2 * e for e in layer.elements()))
        ranked = problem.ranked(self.arch)
        self.assertGreater(len(ranked), 1)
        self.assertEqual([t for _, t in ranked], sorted(t for _, t in ranked))
        plan = problem.select(self.arch)
        self.assertEqual(plan.name, ranked[0][0])
        self.assertEqual(problem.plan(ranked[-1][0]).name, ranked[-1][0])

    def test_refusals(self):
        with self.assertRaises(zellige.Refused) as caught:
            self.library.gemm(0, 1, 1, "f16")
        self.assertEqual(caught.exception.reason, "bad_extent")
        with self.assertRaises(zellige.Failed) as caught:
            self.library.gemm(8, 8, 8, "f16").plan("gemm_bananas")
        self.assertIn("gemm_bananas", str(caught.exception))

    def test_a_run(self):
        m, n, k = 32, 40, 64
        call = lambda name, *a: self.assertEqual(getattr(self.runtime, options.prefix + name)(*a), 0, name)
        if options.prefix == "cuda" and self.runtime.cudaGetDeviceCount(ctypes.byref(ctypes.c_int())) != 0:
            self.skipTest("no CUDA device")
        self.assertEqual(self.library.current_arch(), self.arch)

        def on_device(value, count):
            pointer = ctypes.c_void_p()
            data = struct.pack("<H", value) * count
            call("Malloc", ctypes.byref(pointer), ctypes.c_size_t(len(data)))
            call("Memcpy", pointer, data, ctypes.c_size_t(len(data)), 1)
            return pointer

        a, b, c = on_device(0x3C00, m * k), on_device(0x4000, n * k), on_device(0x7E00, m * n)  # 1, 2, NaN
        plan = self.library.gemm(m, n, k, "f16").select(self.arch)
        workspace = on_device(0xFFFF, plan.workspace_bytes // 2 + 1)  # NaN
        plan.bind(a.value, b.value, c.value, workspace.value)(None)
        host = ctypes.create_string_buffer(m * n * 2)
        call("Memcpy", host, c, ctypes.c_size_t(m * n * 2), 2)
        self.assertEqual(host.raw, struct.pack("<H", 0x5800) * (m * n))  # 128
        with self.assertRaises(zellige.Refused) as caught:
            plan.bind(a.value, 0, c.value, workspace.value)(None)
        self.assertEqual(caught.exception.reason, "null_pointer")
        for pointer in (a, b, c, workspace):
            call("Free", pointer)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    unittest.main(argv=[sys.argv[0], *rest])
