@_spi(Tools) import AtRestCrypto
import Foundation

/// The server's side of the lines with which a connection to a bus begins.
///
/// Only `EXTERNAL` is offered: the kernel says whose process it is. Source: D-Bus Specification 0.43,
/// *Authentication Protocol*.
struct BusLogin {
  /// The size of the longest line in bytes.
  static let longestLine = 1 << 10
  private static let most = 16

  /// The number that identifies the bus.
  let guid: String
  private let user: UInt32
  private let offersDescriptors: Bool
  /// True if the client sends and takes descriptors.
  private(set) var passesDescriptors = false
  private var isAccepted = false
  private var lines = 0

  /// - Parameter offersDescriptors: True if the client may send and take descriptors.
  init(guid: String, user: UInt32, offersDescriptors: Bool = false) {
    (self.guid, self.user, self.offersDescriptors) = (guid, user, offersDescriptors)
  }

  /// The answer to a line.
  enum Answer: Equatable {
    case line(String)
    /// The client begins to send messages.
    case begins
    /// The client keeps to no protocol.
    case ends
  }

  /// Answers a line, without its end.
  mutating func answer(_ line: some Collection<UInt8>) -> Answer {
    lines += 1
    // The first line has a zero before it.
    let bytes = lines == 1 ? line.drop { $0 == 0 } : line[...]
    guard lines <= Self.most, let text = String(validating: bytes, as: UTF8.self) else {
      return .ends
    }
    let words = text.split(separator: " ").map(String.init)
    switch words.first {
    case "AUTH":
      guard words.count > 1, words[1] == "EXTERNAL" else { return .line("REJECTED EXTERNAL") }
      return words.count > 2 ? identify(words[2]) : .line("DATA")
    case "DATA": return identify(words.count > 1 ? words[1] : "")
    case "CANCEL", "ERROR":
      isAccepted = false
      return .line("REJECTED EXTERNAL")
    case "NEGOTIATE_UNIX_FD":
      // The agent itself sends and takes none.
      guard isAccepted, offersDescriptors else { return .line("ERROR No descriptors are passed.") }
      passesDescriptors = true
      return .line("AGREE_UNIX_FD")
    case "BEGIN": return isAccepted ? .begins : .ends
    default: return .line("ERROR Unknown command")
    }
  }

  /// The identity that a client names has to be the one that the kernel says.
  private mutating func identify(_ hexadecimal: String) -> Answer {
    let name = Data(hexadecimal: hexadecimal).flatMap { String(validating: $0, as: UTF8.self) }
    guard hexadecimal.isEmpty || name == String(user) else { return .line("REJECTED EXTERNAL") }
    isAccepted = true
    return .line("OK \(guid)")
  }
}
