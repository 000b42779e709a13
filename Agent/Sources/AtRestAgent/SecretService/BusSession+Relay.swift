@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestKeychain

/// Passing on to the session's bus what is not for the Secret Service.
extension BusSession {
  /// Passes a message on. Returns false for one that is answered here, because it is for the Secret Service or about its
  /// names, or because there is no session's bus.
  func passesOn(
    _ message: BusMessage, _ bytes: UnsafeRawBufferPointer, isTooLarge: Bool
  ) throws -> Bool {
    guard let relay, relay.isOpen, let answer = try self.answer(to: message) else { return false }
    if isTooLarge { throw Self.tooLarge }
    try relay.send(bytes, message, expecting: answer)
    return true
  }

  /// Returns the answer that a message waits for on the session's bus, or nil for a message that is answered here.
  private func answer(to message: BusMessage) throws -> BusRelayFilter.Answer? {
    guard message.isForBus else { return message.isForOthers ? .any : nil }
    guard message.kind == .call else { return message.destination == nil ? .any : nil }
    let text = message.body.first?.string
    switch message.member {
    // A monitor would get what is for others.
    case "Hello", "GetId", "BecomeMonitor": return nil
    case "ListNames": return .names([BusHub.service, BusHub.serviceAddress])
    case "ListActivatableNames": return .names([BusHub.service])
    case "AddMatch", "RemoveMatch":
      guard let text, let rule = MatchRule(text) else { return nil }
      if let sender = rule.sender { return BusHub.isOwn(sender) ? nil : .any }
      // It holds for signals of both.
      if message.member == "AddMatch" {
        try addRule(text)
      } else {
        try? removeRule(text)
      }
      return .any
    default: return text.map(BusHub.isOwn) == true ? nil : .any
    }
  }
}

extension BusMessage {
  /// True for a message to a program that is neither a bus nor the Secret Service.
  var isForOthers: Bool {
    destination.map { $0 != BusHub.bus && !BusHub.isOwn($0) } ?? false
  }
}
