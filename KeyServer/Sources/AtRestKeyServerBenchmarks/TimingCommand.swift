import ArgumentParser
import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Crypto
import Foundation
import Synchronization

/// `keyserver-bench timing`: compares the answers for accounts that exist with those for accounts
/// that do not, by their bytes and by their times.
struct TimingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timing", abstract: "Compares accounts that exist with those that do not.")

  @OptionGroup var options: BenchOptions
  @OptionGroup var suite: SuiteOption
  @Option var port: Int
  @Option var trustRoots: String
  @Option(help: "The requests of each comparison.") var requests = 10_000
  @Option(help: "The first number of the names, which are used up.") var first = 0

  /// One group of accounts.
  private enum Kind: String, CaseIterable {
    case open = "exists, open to all devices"
    case closed = "exists, own devices only"
    case unknown = "does not exist"

    func name(_ index: Int, _ names: Names) -> String {
      switch self {
      case .open: names.open(index)
      case .closed: names.closed(index)
      case .unknown: names.unknown(index)
      }
    }
  }

  private var names: Names { Names(suite.value) }

  /// Attempts before the first delay.
  private static let attempts = 4

  func run() async throws {
    print("== \(suite.value.name)")
    let element = try suite.element
    @Sendable func evaluate(_ name: String) -> (String, Data) {
      ("/v1/evaluate", Evaluation(account: name, element: element).encoded)
    }
    // A well-formed signature, because others are refused early.
    let signature = try Curve25519.Signing.PrivateKey().signature(for: Data())
    @Sendable func proof(_ name: String) -> Proof {
      Proof(account: name, attempt: RandomBytes.data(count: 16), signature: signature)
    }
    @Sendable func prove(_ name: String) -> (String, Data) { ("/v1/prove", proof(name).encoded) }
    let count = requests / 2 / Self.attempts
    var index = first
    func nextNames() -> Range<Int> {
      defer { index += count }
      return index..<index + count
    }
    let shapes = nextNames()
    try await compareShapes(shapes.prefix(20), evaluate)
    try await compareShapes(shapes.dropFirst(20).prefix(20), prove)
    for kind in [Kind.open, .closed] {
      // The names that do not exist must be new each time, as the others are.
      let used = nextNames()
      try await compare("evaluate", kind, .unknown, used, evaluate, delay: 0)
      try await compare("prove after evaluate", kind, .unknown, used, prove, delay: 0)
      try await compare("prove", kind, .unknown, nextNames(), prove, delay: 0)
    }
    for delay: UInt64 in [50, 200] {
      try await compare("control", .open, .unknown, nextNames(), evaluate, delay: delay)
    }
    let store = try options.store(delays: true)
    let counted = nextNames()
    try compareInStore("count", counted) {
      _ = try store.count(Evaluation(account: $0, element: element), nil)
    }
    try compareInStore("prove after count", counted) { name in
      do {
        try store.prove(proof(name), nil)
      } catch let error as AtRestError where error.code == .authenticationFailed {}
    }
  }

  /// Compares status, headers and sizes of seven answers per account, which reach the first delay.
  private func compareShapes(
    _ names: Range<Int>, _ request: @escaping @Sendable (String) -> (String, Data)
  ) async throws {
    var shapes: [Kind: Set<[String]>] = [:]
    for kind in Kind.allCases {
      for index in names {
        let found = Shapes()
        try await Requests(port: port, trustRoots: trustRoots).send(connections: 1) {
          guard found.lines.withLock({ $0.count }) < 7 else { return nil }
          let (path, body) = request(kind.name(index, self.names))
          return Request(path: path, body: body) { answer in
            found.lines.withLock { $0.append(Self.shape(answer)) }
          }
        }
        shapes[kind, default: []].insert(found.lines.withLock { $0 })
      }
    }
    let all = Set(shapes.values)
    print(
      "answers to \(request("").0): \(all.count == 1 ? "the same" : "DIFFERENT") for all kinds,",
      "\(shapes.values.first?.count ?? 0) sequence of seven:")
    for sequence in all.first ?? [] { for line in sequence { print("  \(line)") } }
    guard all.count == 1 else { throw ExitCode.failure }
  }

  private final class Shapes: Sendable { let lines = Mutex<[String]>([]) }

  private static func shape(_ answer: Answer) -> String {
    var text = "\(answer.status), \(answer.headers.joined(separator: ", "))"
    if let evaluation = try? Evaluation.Answer(decoding: answer.body) {
      text += ", attempts left: \(evaluation.remaining)"
    } else if let refusal = try? RefusalBody(decoding: answer.body) {
      text += ", \(refusal.code), \(refusal.retryAfter == 0 ? "no time" : "a time")"
    }
    return text
  }

  /// Compares times of two kinds of accounts, whose requests are mixed.
  private func compare(
    _ title: String, _ kind: Kind, _ other: Kind, _ names: Range<Int>,
    _ request: @escaping @Sendable (String) -> (String, Data), delay: UInt64
  ) async throws {
    var order = names.flatMap { index in
      (0..<Self.attempts).flatMap { _ in [(index, true), (index, false)] }
    }
    order.shuffle()
    let queue = Queue(order)
    try await Requests(port: port, trustRoots: trustRoots).send(connections: 1) {
      guard let (index, isFirst) = queue.next() else { return nil }
      let (path, body) = request((isFirst ? kind : other).name(index, self.names))
      return Request(path: path, body: body, delay: isFirst ? 0 : delay * 1000) { answer in
        queue.record(answer.nanoseconds, isFirst)
      }
    }
    report("\(title), delay \(delay) µs", kind, other, queue.times.withLock { $0 })
  }

  /// Compares the times of the store alone, without a network. This is more than anyone outside the
  /// server can measure.
  private func compareInStore(
    _ title: String, _ names: Range<Int>, _ request: (String) throws -> Void
  ) throws {
    var order = names.flatMap { index in
      (0..<Self.attempts).flatMap { _ in [(index, true), (index, false)] }
    }
    order.shuffle()
    var times = Times()
    for (index, isFirst) in order {
      let name = (isFirst ? Kind.open : .unknown).name(index, self.names)
      let start = DispatchTime.now().uptimeNanoseconds
      try request(name)
      times.append(DispatchTime.now().uptimeNanoseconds - start, isFirst)
    }
    report("\(title) in the store alone", .open, .unknown, times)
  }

  private func report(_ title: String, _ kind: Kind, _ other: Kind, _ times: Times) {
    let (a, b) = (Sample(times.first), Sample(times.second))
    let comparison = Comparison(a, b)
    print("\(title), quartiles in µs")
    print("  \(kind.rawValue): \(a.quartiles)   n \(a.sorted.count)")
    print("  \(other.rawValue): \(b.quartiles)   n \(b.sorted.count)")
    print(
      String(
        format: "  medians %+.1f µs; Welch t %.2f; Mann-Whitney z %.2f; KS %.4f, p %.3f: %@",
        comparison.difference, comparison.welch, comparison.mannWhitney,
        comparison.kolmogorov.statistic, comparison.kolmogorov.probability,
        comparison.isFound ? "a difference" : "no difference"))
  }

  private struct Times {
    var first: [UInt64] = []
    var second: [UInt64] = []

    mutating func append(_ time: UInt64, _ isFirst: Bool) {
      if isFirst { first.append(time) } else { second.append(time) }
    }
  }

  /// The requests that are left, and the times of the others.
  private final class Queue: Sendable {
    let left: Mutex<[(Int, Bool)]>
    let times = Mutex(Times())

    init(_ order: [(Int, Bool)]) { left = Mutex(order) }

    func next() -> (Int, Bool)? { left.withLock { $0.popLast() } }
    func record(_ time: UInt64, _ isFirst: Bool) {
      times.withLock { $0.append(time, isFirst) }
    }
  }
}
