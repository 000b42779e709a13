@_spi(Tools) import AtRestBus

/// Decides what a client of the agent's own bus gets of what the session's bus sends.
///
/// Programs on that bus may be hostile, and so may the bus. None of them speaks in the name of the Secret Service, and
/// none answers a call that was not made to it.
struct BusRelayFilter {
  /// The calls that may wait for an answer.
  static let mostCalls = 1024

  /// The answer that a call waits for.
  enum Answer: Equatable {
    /// It is passed on as it is.
    case any
    /// A list of names, to which these are added.
    case names([String])
  }

  /// The result for the client.
  enum Verdict: Equatable {
    case nothing
    /// The message as it is.
    case message
    /// Another one.
    case other(BusMessage)
  }

  /// The unique name of the client.
  let client: String
  /// The calls of the client that were passed on, by their numbers.
  private(set) var calls: [UInt32: Answer] = [:]

  init(client: String) { self.client = client }

  /// Notes a call that is passed on.
  ///
  /// - Throws: ``BusFailure`` if too many wait for an answer.
  mutating func expect(_ answer: Answer, to call: UInt32) throws {
    guard calls.count < Self.mostCalls || calls[call] != nil else {
      throw BusFailure(
        BusHub.bus + ".Error.LimitsExceeded",
        "A connection has at most \(Self.mostCalls) calls without an answer.")
    }
    calls[call] = answer
  }

  /// Returns what the client gets in place of a message that the bus sent.
  mutating func judge(_ bytes: UnsafeRawBufferPointer) -> Verdict {
    guard let head = try? BusMessage(decodingHeader: bytes), isForClient(head) else {
      return .nothing
    }
    switch head.kind {
    case .call: return .message
    case .signal: return Self.isAboutSecrets(head, bytes) ? .nothing : .message
    case .reply, .error:
      guard let answer = head.answered.flatMap({ calls.removeValue(forKey: $0) }) else {
        return .nothing
      }
      switch answer {
      case .names(let own) where head.kind == .reply: return .other(merge(bytes, head, own))
      case .any, .names: return .message
      }
    }
  }

  /// Returns the refusal of a message that is not passed on to the client: the answer to its call, or nil.
  mutating func refuse(_ bytes: UnsafeRawBufferPointer) -> BusMessage? {
    guard let head = try? BusMessage(decodingHeader: bytes), isForClient(head),
      [.reply, .error].contains(head.kind), let call = head.answered,
      calls.removeValue(forKey: call) != nil
    else { return nil }
    return tooLarge(call)
  }

  private func tooLarge(_ call: UInt32) -> BusMessage {
    failure(
      of: call,
      BusFailure(
        BusHub.bus + ".Error.LimitsExceeded", "The answer of the session's bus is too large."))
  }

  /// The failure of a call that nobody answers any more.
  static let ended = BusFailure(BusHub.bus + ".Error.NoReply", "The session's bus has ended.")

  /// Returns the failures of all calls that wait, because the bus has ended.
  mutating func failAll() -> [BusMessage] {
    defer { calls = [:] }
    return calls.keys.map { failure(of: $0, Self.ended) }
  }

  private func failure(of call: UInt32, _ failure: BusFailure) -> BusMessage {
    var address = BusMessage(.call, serial: call)
    address.sender = client
    var message = address.failure(failure.name, failure.text)
    (message.sender, message.serial) = (BusHub.bus, call)
    return message
  }

  /// True for a message to this client from somebody else than the agent.
  private func isForClient(_ head: BusMessage) -> Bool {
    guard let sender = head.sender, !BusHub.isOwn(sender), head.descriptors == 0 else {
      return false
    }
    return head.destination == client || head.kind == .signal && head.destination == nil
  }

  /// True for a signal that says something of the Secret Service, which is another one there.
  private static func isAboutSecrets(_ head: BusMessage, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let path = head.path ?? ""
    if path == SecretPath.service.text || path.hasPrefix(SecretPath.service.text + "/")
      || head.interface?.hasPrefix(SecretService.interface) == true
    {
      return true
    }
    guard head.sender == BusHub.bus else { return false }
    guard let message = try? BusMessage(decoding: bytes) else { return true }
    return message.body.contains { $0.string.map(BusHub.isOwn) == true }
  }

  /// Returns a list of names with others, which come first.
  private func merge(
    _ bytes: UnsafeRawBufferPointer, _ head: BusMessage, _ own: [String]
  ) -> BusMessage {
    guard var list = try? BusMessage(decoding: bytes), let names = list.body.first else {
      return tooLarge(head.answered ?? 1)
    }
    list.body = [.texts(own + names.strings.filter { !BusHub.isOwn($0) })]
    return list
  }
}
