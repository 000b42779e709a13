import Foundation

/// Times in nanoseconds.
struct Sample {
  let sorted: [Double]

  init(_ values: some Sequence<UInt64>) { sorted = values.map { Double($0) }.sorted() }

  func quantile(_ fraction: Double) -> Double {
    sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(fraction * Double(sorted.count)))]
  }

  /// Quartiles in microseconds.
  var quartiles: String {
    [0.25, 0.5, 0.75].map { String(format: "%.1f", quantile($0) / 1000) }.joined(separator: " / ")
  }
}

/// Compares two samples.
struct Comparison {
  /// Welch's t of the values up to the 95th percentile of both samples, because a few slow requests
  /// would hide any difference.
  let welch: Double
  /// The standardised statistic of Mann and Whitney.
  let mannWhitney: Double
  /// The statistic of Kolmogorov and Smirnov, and its probability if the samples do not differ.
  let kolmogorov: (statistic: Double, probability: Double)
  /// The difference of the medians in microseconds.
  let difference: Double

  /// True if the samples differ: the two-sided probability is below 0.001.
  var isFound: Bool { abs(mannWhitney) > 3.29 || kolmogorov.probability < 0.001 }

  init(_ a: Sample, _ b: Sample) {
    difference = (a.quantile(0.5) - b.quantile(0.5)) / 1000
    let limit = Sample.merged(a, b).quantile(0.95)
    welch = Self.welch(a.sorted.filter { $0 <= limit }, b.sorted.filter { $0 <= limit })
    mannWhitney = Self.mannWhitney(a.sorted, b.sorted)
    kolmogorov = Self.kolmogorov(a.sorted, b.sorted)
  }

  private static func welch(_ a: [Double], _ b: [Double]) -> Double {
    func moments(_ values: [Double]) -> (mean: Double, error: Double) {
      let count = Double(values.count)
      let mean = values.reduce(0, +) / count
      let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
      return (mean, variance / count)
    }
    let (a, b) = (moments(a), moments(b))
    return (a.mean - b.mean) / (a.error + b.error).squareRoot()
  }

  private static func mannWhitney(_ a: [Double], _ b: [Double]) -> Double {
    let all = (a.map { ($0, true) } + b.map { ($0, false) }).sorted { $0.0 < $1.0 }
    var (ranks, ties) = (0.0, 0.0)
    var start = 0
    while start < all.count {
      var end = start
      while end < all.count, all[end].0 == all[start].0 { end += 1 }
      let count = Double(end - start)
      ranks += Double(all[start..<end].count { $0.1 }) * Double(start + 1 + end) / 2
      ties += count * count * count - count
      start = end
    }
    let (m, n) = (Double(a.count), Double(b.count))
    let u = ranks - m * (m + 1) / 2
    let total = m + n
    let variance = m * n / 12 * (total + 1 - ties / (total * (total - 1)))
    return (u - m * n / 2) / variance.squareRoot()
  }

  private static func kolmogorov(_ a: [Double], _ b: [Double]) -> (Double, Double) {
    var (i, j, largest) = (0, 0, 0.0)
    while i < a.count, j < b.count {
      let value = min(a[i], b[j])
      while i < a.count, a[i] <= value { i += 1 }
      while j < b.count, b[j] <= value { j += 1 }
      largest = max(largest, abs(Double(i) / Double(a.count) - Double(j) / Double(b.count)))
    }
    let count = Double(a.count * b.count) / Double(a.count + b.count)
    let scaled = (count.squareRoot() + 0.12 + 0.11 / count.squareRoot()) * largest
    guard scaled > 0.2 else { return (largest, 1) }
    let sum = (1...100).reduce(0.0) { sum, k in
      sum + (k.isMultiple(of: 2) ? -2 : 2) * exp(-2 * Double(k * k) * scaled * scaled)
    }
    return (largest, min(1, max(0, sum)))
  }
}

extension Sample {
  static func merged(_ a: Sample, _ b: Sample) -> Sample {
    Sample((a.sorted + b.sorted).map { UInt64($0) })
  }
}
