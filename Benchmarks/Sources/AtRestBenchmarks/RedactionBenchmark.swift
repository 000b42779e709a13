import AtRest
import Foundation

/// Measures how many bytes of log lines a redactor examines per second, on one core.
///
///     AtRestBenchmarks redaction [FILE …]
struct RedactionBenchmark {
  /// Lines in the forms of common programs. Each line gets other numbers.
  private static let forms = [
    "Nov 23 06:55:%d host sshd[24%d]: Failed password for invalid user web from 203.0.113.%d port 38%d ssh2",
    "2026-11-23 18:01:47,%d INFO [main] org.example.app.Master: Created Master for application %d, attempt %d of %d",
    "203.0.113.%d - - [23/Nov/2026:13:55:%d +0000] \"GET /index.html?page=%d HTTP/1.1\" 200 %d",
    "level=info ts=2026-11-23T10:00:00.%dZ caller=main.go:%d msg=\"request handled\" took=%dms status=%d",
    "The quick brown fox jumps over the lazy dog and says that nothing was found in %d of %d places, %d times %d",
  ]

  private static func lines() -> [String] {
    (0..<20_000).map { number in
      String(
        format: forms[number % forms.count], number % 100, number % 777, number % 255, number)
    }
  }

  private static func letters(_ count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return String(
      (0..<count).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &generator)! })
  }

  static func run(_ files: [String]) throws {
    let lines =
      try files.isEmpty
      ? lines()
      : files.flatMap {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: $0)), as: UTF8.self)
          .split(whereSeparator: \.isNewline).map(String.init)
      }
    let cases: [(name: String, secrets: Int, count: Int, patterns: RedactionPatterns)] = [
      ("10 secrets of 32 bytes, no patterns", 10, 32, []),
      ("10 secrets of 8 bytes, no patterns", 10, 8, []),
      ("no secrets, standard patterns", 0, 32, .standard),
      ("10 secrets of 32 bytes, standard patterns", 10, 32, .standard),
      ("1,000 secrets of 32 bytes, standard patterns", 1000, 32, .standard),
    ]
    for (name, secrets, count, patterns) in cases {
      let registry = SecretRegistry()
      for _ in 0..<secrets { try registry.register(letters(count)) }
      let redactor = Redactor(secrets: registry, patterns: patterns)
      measure(name, redactor, lines)
    }
    let registry = SecretRegistry()
    let secret = letters(32)
    try registry.register(secret)
    measure("a secret in each line", Redactor(secrets: registry), lines.map { $0 + " " + secret })
  }

  private static func measure(_ name: String, _ redactor: Redactor, _ lines: [String]) {
    let size = lines.reduce(0) { $0 + $1.utf8.count }
    let withheld = lines.count { redactor.redact($0) != $0 }
    let clock = ContinuousClock()
    let times = (0..<7).map { _ in
      clock.measure { for line in lines { _ = redactor.redact(line) } } / .seconds(1)
    }
    let rate = Double(size) / times.sorted()[times.count / 2] / 1e6
    print("\(name): \(Int(rate)) MB/s, \(withheld) of \(lines.count) lines changed")
  }
}
