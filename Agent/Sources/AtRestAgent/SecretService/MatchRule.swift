@_spi(Tools) import AtRestBus

/// A rule of a client that says which signals it wants.
///
/// Source: D-Bus Specification 0.43, *Match Rules*. Arguments are compared as texts and paths only.
struct MatchRule: Hashable {
  /// The size of the longest rule in bytes.
  static let longest = 1 << 10

  private var values: [String: String] = [:]
  /// The numbers of arguments and what they have to be.
  private var arguments: [Argument] = []

  private struct Argument: Hashable {
    let index: Int
    let isPath: Bool
    let value: String
  }

  /// The keys that are compared as they are.
  private static let names: Set = [
    "type", "sender", "interface", "member", "path", "path_namespace", "destination", "eavesdrop",
    "arg0namespace",
  ]
  private static let lastArgument = 63

  /// Reads a rule, such as `type='signal',path='/'`. Returns nil for other text.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    // Bytes, as a bus reads it: a character may be a quote together with what follows it.
    var rest = text.utf8[...]
    while !rest.isEmpty {
      guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let key = String(rest[..<equals].drop { $0 == UInt8(ascii: " ") }) ?? ""
      rest = rest[rest.index(after: equals)...]
      var (value, isQuoted) = ([UInt8](), false)
      while let byte = rest.first, isQuoted || byte != UInt8(ascii: ",") {
        rest.removeFirst()
        if byte == UInt8(ascii: "'") {
          isQuoted.toggle()
        } else if byte == UInt8(ascii: "\\"), !isQuoted, rest.first == UInt8(ascii: "'") {
          value.append(rest.removeFirst())
        } else {
          value.append(byte)
        }
      }
      guard !isQuoted, add(key, String(decoding: value, as: UTF8.self)) else { return nil }
      _ = rest.popFirst()
    }
  }

  /// Adds a condition. Returns false if there is no such key, or if it is there already.
  private mutating func add(_ key: String, _ value: String) -> Bool {
    if Self.names.contains(key) { return values.updateValue(value, forKey: key) == nil }
    guard key.hasPrefix("arg") else { return false }
    let isPath = key.hasSuffix("path")
    let digits = key.dropFirst(3).dropLast(isPath ? 4 : 0)
    guard let index = Int(digits), String(index) == digits, (0...Self.lastArgument).contains(index),
      !arguments.contains(where: { $0.index == index && $0.isPath == isPath })
    else { return false }
    arguments.append(Argument(index: index, isPath: isPath, value: value))
    return true
  }

  /// The sender of the signals, or nil for any sender.
  var sender: String? { values["sender"] }

  /// True if signals of the Secret Service may have the interface of the rule.
  var mayMatchSecrets: Bool {
    values["interface"].map {
      $0 == SecretService.properties || $0.utf8.starts(with: SecretService.interface.utf8)
    } ?? true
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
      case "arg0namespace":
        argument(0, message).map { $0 == value || $0.hasPrefix(value + ".") } ?? false
      default: true
      }
    }
      && arguments.allSatisfy { wanted in
        guard let found = argument(wanted.index, message) else { return false }
        guard wanted.isPath else { return found == wanted.value }
        return found == wanted.value || wanted.value.hasSuffix("/") && found.hasPrefix(wanted.value)
          || found.hasSuffix("/") && wanted.value.hasPrefix(found)
      }
  }

  private func argument(_ index: Int, _ message: BusMessage) -> String? {
    message.body.indices.contains(index) ? message.body[index].string : nil
  }

  private static func isPath(_ path: String, below other: String) -> Bool {
    path == other || other == "/" || path.hasPrefix(other + "/")
  }
}
