@_spi(Tools) import AtRestBus

/// A rule of a client that says which signals it wants.
///
/// Source: D-Bus Specification 0.43, *Match Rules*. Arguments are compared as texts and paths only.
struct MatchRule: Hashable {
  /// The size of the longest rule in bytes.
  static let longest = 1 << 10

  private var values: [String: String] = [:]

  /// Reads a rule, such as `type='signal',path='/'`. Returns nil for other text.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    var rest = Substring(text)
    while !rest.isEmpty {
      guard let equals = rest.firstIndex(of: "=") else { return nil }
      let key = rest[..<equals].drop { $0 == " " }
      rest = rest[rest.index(after: equals)...]
      var (value, isQuoted) = ("", false)
      while let character = rest.first, isQuoted || character != "," {
        rest.removeFirst()
        if character == "'" {
          isQuoted.toggle()
        } else if character == "\\", !isQuoted, rest.first == "'" {
          value.append(rest.removeFirst())
        } else {
          value.append(character)
        }
      }
      guard !isQuoted, !key.isEmpty, values.updateValue(value, forKey: String(key)) == nil else {
        return nil
      }
      _ = rest.popFirst()
    }
  }

  /// Returns true if a signal is wanted.
  ///
  /// - Parameter names: The names that the sender has.
  func matches(_ message: BusMessage, sentBy names: Set<String>) -> Bool {
    values.allSatisfy { key, value in
      switch key {
      case "type": value == "signal"
      case "sender": names.contains(value)
      case "interface": message.interface == value
      case "member": message.member == value
      case "path": message.path == value
      case "path_namespace": message.path.map { Self.isPath($0, below: value) } ?? false
      case "destination": message.destination == value
      case "eavesdrop": true
      case "arg0namespace":
        argument(0, message).map { $0 == value || $0.hasPrefix(value + ".") } ?? false
      case _ where key.hasPrefix("arg") && key.hasSuffix("path"):
        Int(key.dropFirst(3).dropLast(4)).flatMap { argument($0, message) }.map {
          $0 == value || value.hasSuffix("/") && $0.hasPrefix(value)
            || $0.hasSuffix("/") && value.hasPrefix($0)
        } ?? false
      case _ where key.hasPrefix("arg"):
        Int(key.dropFirst(3)).flatMap { argument($0, message) } == value
      default: false
      }
    }
  }

  private func argument(_ index: Int, _ message: BusMessage) -> String? {
    message.body.indices.contains(index) ? message.body[index].string : nil
  }

  private static func isPath(_ path: String, below other: String) -> Bool {
    path == other || other == "/" || path.hasPrefix(other + "/")
  }
}
