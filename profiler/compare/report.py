"""What the comparison found, for people: lines, groups of means, and one HTML page without scripts."""

import html
import math
import statistics

GROUP_ORDER = ["dense 3x3 and 1x1", "n=1, images up to 14x14", "patch embeddings and stems", "gemm", "grouped", "other"]


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values))) if values else None


def ranks(values):
    """Ranks from 1, ties share their mean."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and values[order[end + 1]] == values[order[at]]:
            end += 1
        for i in range(at, end + 1):
            result[order[i]] = (at + end) / 2 + 1
        at = end + 1
    return result


def rank_correlation(a, b):
    """Spearman's; None of fewer than three pairs, or where all of one side are equal."""
    if len(a) < 3:
        return None
    x, y = ranks(a), ranks(b)
    mean_x, mean_y = statistics.fmean(x), statistics.fmean(y)
    covariance = sum((p - mean_x) * (q - mean_y) for p, q in zip(x, y))
    spread = math.sqrt(sum((p - mean_x)**2 for p in x) * sum((q - mean_y)**2 for q in y))
    return covariance / spread if spread > 0 else None


def summarize(layers):
    """{group: {layers, geometric_mean, best_geometric_mean, below_1}} of the layers that have a ratio."""
    groups = {}
    for name in GROUP_ORDER:
        members = [l for l in layers if name in l["groups"]]
        timed = [l for l in members if l.get("ratio")]
        if not members:
            continue
        groups[name] = {
            "layers": len(members), "compared": len(timed),
            "geometric_mean": geometric_mean([l["ratio"] for l in timed]),
            "best_geometric_mean": geometric_mean([l.get("best_ratio") or l["ratio"] for l in timed]),
            "over_floor": geometric_mean([l["us"] / l["floor_us"] for l in timed]),
            "below_1": [l["label"] for l in timed if l["ratio"] < 1],
        }
    return groups


def line_of(layer):
    if layer["status"] != "ok":
        text = f"{layer['label']:<58} {layer['status']}: {layer['why']}"
        return text + (f" [{layer['instance']}]" if layer.get("instance") else "")
    text = (f"{layer['label']:<58} {layer['us']:9.1f} us  peer {layer['peer_us']:9.1f}  ratio {layer['ratio']:5.2f}  "
            f"over floor {layer['us'] / layer['floor_us']:6.2f}")
    if layer.get("best_ratio"):
        text += f"  best {layer['best_ratio']:5.2f} ({layer['selected_over_best']:.2f} of it selected)"
    split = f" split {layer['split_k']}" if layer["split_k"] > 1 else ""
    return text + f"  {layer['instance']}{split}"


def tail_of(report):
    """The lines that end a run."""
    number = lambda value, form: "-" if value is None else format(value, form)
    lines = []
    ceiling = report["ceilings"]
    lines.append(f"ceilings: copy {ceiling['bytes_per_s'] / 1e12:.2f} TB/s, bf16 matmul "
                 f"{ceiling['flops_per_s'] / 1e12:.0f} TFLOP/s; an empty graph takes {ceiling['empty_us']:.1f} us here")
    lines.append(f"{'group':<28} {'layers':>7} {'ratio':>7} {'best':>7} {'over floor':>11}  under 1x")
    for name, g in report["groups"].items():
        lines.append(f"{name:<28} {g['compared']:>3}/{g['layers']:<3} {number(g['geometric_mean'], '7.2f')} "
                     f"{number(g['best_geometric_mean'], '7.2f')} {number(g['over_floor'], '11.2f')}  "
                     f"{len(g['below_1'])}")
    if report.get("rank_correlation") is not None:
        lines.append("rank correlation of modelled and measured times, mean over problems: "
                     f"{report['rank_correlation']:.2f}")
    wrong = [l["label"] for l in report["layers"] if l["status"] == "wrong"]
    lines.append("every result within the bound" if not wrong else f"WRONG: {', '.join(wrong)}")
    return lines


def bar_chart(layers):
    """Ratios to the peer on a logarithmic axis, as inline SVG."""
    row, left, width, low, high = 16, 430, 460, 1 / 8, 16
    position = lambda ratio: left + width * math.log(min(max(ratio, low), high) / low) / math.log(high / low)
    height = row * len(layers) + 40
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 70}" height="{height}" '
             'font-family="sans-serif" font-size="11">']
    for tick in (0.125, 0.25, 0.5, 1, 2, 4, 8, 16):
        x = position(tick)
        parts.append(f'<line x1="{x:.1f}" y1="20" x2="{x:.1f}" y2="{height - 10}" '
                     f'stroke="{"#333" if tick == 1 else "#ddd"}"/>'
                     f'<text x="{x:.1f}" y="14" text-anchor="middle">{tick:g}x</text>')
    for i, layer in enumerate(layers):
        y, one, at = 24 + i * row, position(1), position(layer["ratio"])
        colour = "#2a7" if layer["ratio"] >= 1 else "#c63"
        parts.append(f'<text x="{left - 8}" y="{y + 10}" text-anchor="end">{html.escape(layer["label"])}</text>'
                     f'<rect x="{min(one, at):.1f}" y="{y + 1}" width="{max(abs(at - one), 0.5):.1f}" '
                     f'height="{row - 4}" fill="{colour}"/>')
        if layer.get("best_ratio"):
            x = position(layer["best_ratio"])
            parts.append(f'<line x1="{x:.1f}" y1="{y}" x2="{x:.1f}" y2="{y + row - 2}" stroke="#000" '
                         'stroke-width="2"/>')
        parts.append(f'<text x="{left + width + 8}" y="{y + 10}">{layer["ratio"]:.2f}</text>')
    return "".join(parts) + "</svg>"


def to_html(report):
    timed = [l for l in report["layers"] if l.get("ratio")]
    title = f"Zellige {report['zellige']} beside cuDNN and cuBLAS on {report['device']['name']}"
    charts, rows = [], []
    for name in report["groups"]:
        members = [l for l in timed if name in l["groups"]]
        if members:
            mean = report["groups"][name]["geometric_mean"]
            charts.append(f"<h2>{html.escape(name)}: geometric mean {mean:.2f}x</h2>{bar_chart(members)}")
    for l in report["layers"]:
        cells = [l["label"], l["status"]] + (
            [f"{l['us']:.1f}", f"{l['peer_us']:.1f}", f"{l['ratio']:.2f}", f"{l['us'] / l['floor_us']:.2f}",
             f"{l['error']:.2e}", f"{l['peer_error']:.2e}", l["instance"]] if l["status"] == "ok" else [l["why"]])
        rows.append("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in cells) + "</tr>")
    heads = "problem status us peer ratio over-floor error peer-error instance".split()
    return ("<!doctype html><html><head><meta charset='utf-8'><title>" + html.escape(title) + "</title><style>"
            "body{font-family:sans-serif}td,th{padding:1px 8px;text-align:left;font-size:12px}</style></head><body>"
            f"<h1>{html.escape(title)}</h1><p>Bars: peer's time over ours, right of 1x is faster than the peer. A "
            "black mark is the best instance of a tuning run. Measured, cold L2, medians of interleaved repetitions."
            "</p>" +
            "".join(charts) + "<h2>All problems</h2><table><tr>" + "".join(f"<th>{h}</th>" for h in heads) + "</tr>" +
            "".join(rows) + "</table></body></html>\n")
