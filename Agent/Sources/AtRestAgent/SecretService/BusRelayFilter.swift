@_spi(Tools) import AtRestBus

/// Decides what a client of the agent's own bus gets of what the session's bus sends.
///
/// Programs on that bus may be hostile, and so may the bus. None of them speaks in the name of the Secret Service, and
/// none answers a call that was not made to it.
struct BusRelayFilter {
  /// The calls that may wait for an answer. The oldest fails for a new one.
  static let mostCalls = 1024

  /// The answer that a call waits for.
  enum Answer: Equatable {
    /// It is passed on as it is.
    case any
    /// A list of names, to which these are added.
    case names([String])
    /// An error means that the bus did not take a match rule.
    case rule(String)
  }

  private struct Call {
    let answer: Answer
    /// The name to which the call was sent.
    let destination: String
    /// A number that grows with each call.
    let order: UInt64
  }

  /// The result for the client.
  enum Verdict: Equatable {
    case nothing
    /// The message as it is.
    case message
    /// Another one.
    case other(BusMessage)
    /// The message as it is, which says that the bus refused a match rule.
    case refusedRule(String)
  }

  /// The message that takes the place of one that cannot be passed on.
  enum Refusal: Equatable {
    case toClient(BusMessage)
    case toBus(BusMessage)
  }

  /// The unique name of the client.
  let client: String
  /// The calls of the client that were passed on, by their numbers.
  private var calls: [UInt32: Call] = [:]
  private var order: UInt64 = 0

  init(client: String) { self.client = client }

  /// The number of calls that wait for an answer.
  var count: Int { calls.count }

  // MARK: Calls of the client

  /// Notes a call that is passed on. Returns the failure of the oldest call if too many wait.
  mutating func expect(_ answer: Answer, to message: BusMessage) -> BusMessage? {
    order += 1
    calls[message.serial] = Call(
      answer: answer, destination: message.destination ?? BusHub.bus, order: order)
    guard calls.count > Self.mostCalls,
      let oldest = calls.min(by: { $0.value.order < $1.value.order })?.key
    else { return nil }
    calls[oldest] = nil
    return failure(
      of: oldest,
      BusFailure(
        BusHub.bus + ".Error.LimitsExceeded",
        "A connection has at most \(Self.mostCalls) calls without an answer."))
  }

  /// Returns the failure of a call that was not sent, or nil if nobody waits for it.
  mutating func fail(_ call: UInt32, _ failure: BusFailure) -> BusMessage? {
    calls.removeValue(forKey: call).map { _ in self.failure(of: call, failure) }
  }

  /// The failure of a call that nobody answers any more.
  static let ended = BusFailure(BusHub.bus + ".Error.NoReply", "The session's bus has ended.")

  /// Returns the failures of all calls that wait, because the bus has ended.
  mutating func failAll() -> [BusMessage] {
    defer { calls = [:] }
    return calls.keys.map { failure(of: $0, Self.ended) }
  }

  /// The error that the client gets in place of an answer.
  func failure(of call: UInt32, _ failure: BusFailure) -> BusMessage {
    var address = BusMessage(.call, serial: call)
    address.sender = client
    var message = address.failure(failure.name, failure.text)
    (message.sender, message.serial) = (BusHub.bus, call)
    return message
  }

  // MARK: Messages of the bus

  /// Returns what the client gets in place of a message that the bus sent.
  mutating func judge(_ bytes: UnsafeRawBufferPointer) -> Verdict {
    guard let head = try? BusMessage(decodingHeader: bytes), mayReachClient(head) else {
      return .nothing
    }
    switch head.kind {
    case .call: return .message
    case .signal: return Self.concernsSecrets(head, bytes) ? .nothing : .message
    case .reply, .error:
      switch takeCall(answeredBy: head)?.answer {
      case nil: return .nothing
      case .names(let own) where head.kind == .reply: return .other(merge(bytes, head, own))
      case .rule(let rule) where head.kind == .error: return .refusedRule(rule)
      case .any, .names, .rule: return .message
      }
    }
  }

  /// Returns the message that takes the place of one that cannot be passed on, or nil for none.
  mutating func refuse(_ bytes: UnsafeRawBufferPointer, _ failure: BusFailure) -> Refusal? {
    guard let head = try? BusMessage(decodingHeader: bytes), mayReachClient(head) else {
      return nil
    }
    switch head.kind {
    case .call where head.wantsReply:
      var answer = head.failure(failure.name, failure.text)
      answer.serial = head.serial
      return .toBus(answer)
    case .reply, .error:
      guard takeCall(answeredBy: head) != nil, let call = head.answered else { return nil }
      return .toClient(self.failure(of: call, failure))
    default: return nil
    }
  }

  /// The failure in place of a message that is too large.
  static let tooLarge = BusFailure(
    BusHub.bus + ".Error.LimitsExceeded", "The message is too large to be passed on.")

  /// Takes the call that a message answers, if its sender may.
  private mutating func takeCall(answeredBy head: BusMessage) -> Call? {
    guard let number = head.answered, let call = calls[number], let sender = head.sender else {
      return nil
    }
    // The bus knows who has a name. It refuses calls itself.
    let mayAnswer =
      call.destination.utf8.first == UInt8(ascii: ":") || call.destination == BusHub.bus
      ? sender == call.destination : sender != BusHub.bus
    guard mayAnswer || sender == BusHub.bus && head.kind == .error else { return nil }
    calls[number] = nil
    return call
  }

  /// True for a message to this client from somebody else than the agent. The bus leaves the well-known name to which a
  /// call was made. Only an answer always has the unique name.
  private func mayReachClient(_ head: BusMessage) -> Bool {
    guard let sender = head.sender, !BusHub.isOwn(sender) else { return false }
    let destination = head.destination
    let isWellKnown =
      destination.map { $0.utf8.first != UInt8(ascii: ":") && !BusHub.isOwn($0) } ?? false
    switch head.kind {
    case .call: return isWellKnown || destination == client
    case .signal: return isWellKnown || destination == client || destination == nil
    case .reply, .error: return destination == client
    }
  }

  /// True for a signal that says something of the Secret Service, which is another one there.
  private static func concernsSecrets(_ head: BusMessage, _ bytes: UnsafeRawBufferPointer) -> Bool {
    if head.isAboutSecrets { return true }
    guard head.sender == BusHub.bus else { return false }
    guard let message = try? BusMessage(decoding: bytes) else { return true }
    return message.body.contains { $0.string.map(BusHub.isOwn) == true }
  }

  /// Returns a list of names with others, which come first.
  private func merge(
    _ bytes: UnsafeRawBufferPointer, _ head: BusMessage, _ own: [String]
  ) -> BusMessage {
    guard var list = try? BusMessage(decoding: bytes), let names = list.body.first else {
      return failure(of: head.answered ?? 1, Self.tooLarge)
    }
    list.body = [.texts(own + names.strings.filter { !BusHub.isOwn($0) })]
    return list
  }
}

extension BusMessage {
  /// True for a message to a program that is neither a bus nor the Secret Service.
  var isForOthers: Bool {
    destination.map { $0 != BusHub.bus && !BusHub.isOwn($0) } ?? false
  }

  /// True for a message about the Secret Service or an object of it, to whomever it is sent.
  var isAboutSecrets: Bool {
    let (root, path) = (SecretPath.service.text, path ?? "")
    return interface?.utf8.starts(with: SecretService.interface.utf8) == true || path == root
      || path.utf8.starts(with: (root + "/").utf8)
  }
}
