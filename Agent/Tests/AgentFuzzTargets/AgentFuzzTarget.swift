@_spi(Tools) import AtRestBus
import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import NIOCore

@testable import AtRestAgent

/// The decoders of the agent. `atrest-fuzz` has those of the agent's own protocol.
package enum AgentFuzzTarget: String, CaseIterable, Sendable {
  /// The bytes of a connection, in parts of any size.
  case frames
  /// A request of the ssh-agent protocol.
  case sshRequest = "ssh-request"
  /// A public key in the form of SSH, and a signature.
  case sshKey = "ssh-key"
  /// A sequence of two integers in DER.
  case derIntegers = "der-integers"
  /// A message of D-Bus, and an address of a bus.
  case bus
  /// A message of the session's bus to a client of the agent's own.
  case relay
  /// The name of systemd's end of a connection, and what `/proc` says of a process.
  case names
  /// A line of the audit log, whose texts come from clients.
  case log

  /// A wrong result of a read that succeeded.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads one input.
  ///
  /// - Throws: ``Fault``, or any error except `AtRestError`, with which malformed bytes are refused.
  package func run(_ input: Data) throws {
    do {
      switch self {
      case .frames: try readFrames(input)
      case .sshRequest: try input.withUnsafeBytes { _ = try SSHRequest(decoding: $0) }
      case .sshKey: try readKey(input)
      case .derIntegers: try readIntegers(input)
      case .bus: try readMessage(input)
      case .relay: try relay(input)
      case .names: try readNames(input)
      case .log: try writeEntry(input)
      }
    } catch is AtRestError {
      // The refusal of malformed bytes.
    }
  }

  private func expect(_ condition: Bool, _ fault: String) throws {
    guard condition else { throw Fault(description: fault) }
  }

  private func readFrames(_ input: Data) throws {
    /// Returns the messages in a connection whose bytes arrive in parts.
    func messages(of bytes: Data, in size: Int) -> [Data] {
      var reader = FrameReader()
      var messages: [Data] = []
      var rest = bytes
      while !rest.isEmpty {
        do {
          try reader.append(ByteBuffer(bytes: rest.prefix(size)))
          rest = rest.dropFirst(size)
          while let message = try reader.next({ try Frame.size(of: $0, largest: 300) }) {
            messages.append(Data(copying: message.bytes))
          }
        } catch {
          return messages + [Data()]
        }
      }
      return messages
    }
    guard let size = input.first else { return }
    let bytes = input.dropFirst()
    try expect(
      messages(of: bytes, in: Int(size) + 1) == messages(of: bytes, in: .max),
      "Parts of another size give other messages.")
  }

  private func readKey(_ input: Data) throws {
    let count = Int(input.first ?? 0)
    let rest = input.dropFirst()
    let key = try Data(rest.prefix(count)).withUnsafeBytes { try SSHPublicKey(blob: $0) }
    guard let key else { return }
    let again = try key.blob.withUnsafeBytes { try SSHPublicKey(blob: $0) }
    try expect(again?.key == key.key, "A key does not read back.")
    let isValid = try Data(rest.dropFirst(count)).withUnsafeBytes {
      try key.isValid($0, for: Data("message".utf8))
    }
    try expect(!isValid, "A signature was made without a private key.")
  }

  private func readIntegers(_ input: Data) throws {
    let (first, second) = try DERIntegers.pair(in: input)
    let again = try DERIntegers.pair(in: DERIntegers.sequence([first, second]))
    try expect(again == (first, second), "Integers do not read back.")
  }

  private func readMessage(_ input: Data) throws {
    _ = BusAddress.path(String(decoding: input, as: UTF8.self))
    guard let whole = try wholeMessage(input) else { return }
    // A header that is refused is that of a message that is refused.
    let header = try whole.withUnsafeBytes { try BusMessage(decodingHeader: $0) }
    let message = try whole.withUnsafeBytes { try BusMessage(decoding: $0) }
    var head = message
    head.body = []
    try expect(head == header, "The header of a message of D-Bus is another one without its body.")
    _ = LockSignal.reason(message)
    // Floating-point numbers that are no number differ from themselves, so the bytes are compared.
    let bytes = message.encoded()
    let again = try bytes.withUnsafeBytes { try BusMessage(decoding: $0) }.encoded()
    let isSame = bytes.withUnsafeBytes { one in again.withUnsafeBytes { one.elementsEqual($0) } }
    try expect(isSame, "A message of D-Bus does not read back.")
  }

  /// Returns a message with the size that it claims, up to the size of any input.
  private func wholeMessage(_ input: Data) throws -> Data? {
    guard input.count >= BusMessage.prefixSize else { return nil }
    let size = try input.withUnsafeBytes { try BusMessage.size(prefix: $0) }
    guard size <= 1 << 16 else { return nil }
    return (input + Data(count: max(0, size - input.count))).prefix(size)
  }

  private func relay(_ input: Data) throws {
    guard let whole = try wholeMessage(input) else { return }
    let (client, own) = (":1.7", "org.freedesktop.secrets")
    var filter = BusRelayFilter(client: client)
    for (serial, answer) in [(1, .any), (2, .names([own])), (3, .rule("rule"))]
      as [(UInt32, BusRelayFilter.Answer)]
    {
      _ = filter.expect(
        answer, to: BusMessage(.call, serial: serial, destination: serial == 1 ? ":1.5" : nil))
    }
    let before = filter
    let passed: BusMessage
    switch whole.withUnsafeBytes({ filter.judge($0) }) {
    case .nothing:
      try expect(filter.count == 3, "A call is forgotten that nobody answered.")
      return try refuse(whole, before, isForClient: false)
    case .message, .refusedRule:
      passed = try whole.withUnsafeBytes { try BusMessage(decodingHeader: $0) }
    case .other(let other):
      passed = other
      var names: [BusValue] = []
      if case .array(_, let values)? = other.body.first { names = values }
      let count = names.count { $0 == .text(own) }
      try expect(other.kind == .error || count == 1, "A list names the Secret Service twice.")
    }
    try expect(
      passed.sender != own && passed.sender?.hasPrefix(":0.") == false,
      "A message is in the name of the Secret Service.")
    let isAnswer = passed.kind == .reply || passed.kind == .error
    try expect(
      passed.destination == client
        || !isAnswer && passed.destination?.hasPrefix(":") != true && passed.destination != own,
      "A message is for another client.")
    try expect(
      !isAnswer || [1, 2, 3].contains(passed.answered), "Nobody waits for an answer.")
    try expect(filter.count == (isAnswer ? 2 : 3), "A call can be answered again.")
    try refuse(whole, before, isForClient: true)
  }

  /// A message that is not passed on is refused by an answer to the one who waits, and to nobody else.
  private func refuse(_ whole: Data, _ filter: BusRelayFilter, isForClient: Bool) throws {
    var filter = filter
    switch whole.withUnsafeBytes({ filter.refuse($0, BusRelayFilter.tooLarge) }) {
    case .toBus(let answer):
      try expect(isForClient && answer.kind == .error, "A call for another client is refused.")
    case .toClient(let answer):
      try expect(
        isForClient && filter.count == 2 && answer.destination == ":1.7",
        "An answer is made for no call.")
    case nil: try expect(filter.count == 3, "A call has no answer.")
    }
  }

  private func readNames(_ input: Data) throws {
    let text = String(decoding: input, as: UTF8.self)
    if let request = CredentialRequest(name: text) {
      try expect(
        !request.unit.isEmpty && !request.credential.isEmpty && !request.unit.contains("/"),
        "A credential has no name.")
    }
    if let unit = SystemUnit(controlGroups: text) {
      try expect(
        unit.name.hasSuffix(".service") && unit.path.hasSuffix(unit.name), "A unit is no service.")
    }
    _ = TerminalSession.fields(text)
    try expect(FlatpakInfo.application(in: text) != "", "An application has no name.")
    _ = SecurityLabel.evidence([UInt8](input), common: [])
  }

  private func writeEntry(_ input: Data) throws {
    let text = String(decoding: input, as: UTF8.self)
    let entry = AgentLogEntry(
      time: Date(timeIntervalSince1970: 1), operation: "get", subject: text,
      evidence: [AgentEvidence(.program, text)], process: 1, answer: "done")
    let line = AuditLog.line(entry)
    try expect(
      line.last == 10 && !line.dropLast().contains(10), "An entry is not a line.")
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let again = try? decoder.decode(AgentLogEntry.self, from: Data(line))
    try expect(again == entry, "An entry does not read back.")
  }
}
