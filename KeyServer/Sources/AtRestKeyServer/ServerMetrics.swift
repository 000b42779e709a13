import Synchronization

/// Counts of requests in the text format of Prometheus.
final class ServerMetrics: Sendable {
  private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 1, 10]

  private struct Counts {
    var requests: [String: Int] = [:]
    var buckets = [Int](repeating: 0, count: bounds.count)
    var seconds = 0.0
    var count = 0
  }

  private let counts = Mutex(Counts())

  /// Counts a request.
  ///
  /// - Parameter path: A path of the protocol, never one that the client made up.
  func record(path: String, status: Int, seconds: Double) {
    counts.withLock { counts in
      counts.requests["path=\"\(path)\",status=\"\(status)\"", default: 0] += 1
      for (index, bound) in Self.bounds.enumerated() where seconds <= bound {
        counts.buckets[index] += 1
      }
      counts.seconds += seconds
      counts.count += 1
    }
  }

  var text: String {
    let counts = counts.withLock { $0 }
    var lines = ["# TYPE atrest_keyserver_requests_total counter"]
    for (labels, count) in counts.requests.sorted(by: { $0.key < $1.key }) {
      lines.append("atrest_keyserver_requests_total{\(labels)} \(count)")
    }
    lines.append("# TYPE atrest_keyserver_request_seconds histogram")
    for (bound, count) in zip(Self.bounds, counts.buckets) {
      lines.append("atrest_keyserver_request_seconds_bucket{le=\"\(bound)\"} \(count)")
    }
    lines.append("atrest_keyserver_request_seconds_bucket{le=\"+Inf\"} \(counts.count)")
    lines.append("atrest_keyserver_request_seconds_sum \(counts.seconds)")
    lines.append("atrest_keyserver_request_seconds_count \(counts.count)")
    return lines.joined(separator: "\n") + "\n"
  }
}
