@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestKeychain

/// Passing on to the session's bus what is not for the Secret Service.
extension BusSession {
  /// Passes a message on. Returns false for one that is answered here, because it is for the Secret Service or about its
  /// names, or because there is no session's bus.
  ///
  /// - Parameter descriptors: Those that came with the message, or nil if some did not arrive.
  /// - Throws: ``BusFailure`` for a call that may not be passed on, or for which there is no room.
  func passesOn(
    _ message: BusMessage, _ bytes: UnsafeRawBufferPointer, _ descriptors: [PassedDescriptor]?,
    isTooLarge: Bool
  ) throws -> Bool {
    guard let relay = busRelay, relay.isOpen else { return false }
    if message.isAboutSecrets {
      guard message.isForOthers else { return false }
      // It may have a secret, and the agent itself may be the program, under another name.
      throw BusFailure(
        BusHub.bus + ".Error.AccessDenied",
        "On this bus, the Secret Service is \(BusHub.service) alone.")
    }
    guard let answer = try self.answer(to: message) else { return false }
    if isTooLarge { throw Self.tooLarge }
    try relay.send(bytes, message, descriptors, expecting: answer)
    return true
  }

  /// Returns the answer that a message waits for on the session's bus, or nil for a message that is answered here.
  private func answer(to message: BusMessage) throws -> BusRelayFilter.Answer? {
    guard message.isForBus else { return message.isForOthers ? .any : nil }
    guard message.kind == .call else { return message.destination == nil ? .any : nil }
    // The bus would pass on a call that names nobody.
    guard message.destination != nil else { return nil }
    let text = message.body.first?.string
    switch message.member {
    // A monitor would get what is for others.
    case "Hello", "GetId", "BecomeMonitor": return nil
    case "ListNames": return .names([BusHub.service, BusHub.serviceAddress])
    case "ListActivatableNames": return .names([BusHub.service])
    case "AddMatch", "RemoveMatch":
      guard let text, let rule = MatchRule(text) else { return .any }
      if let sender = rule.sender { return BusHub.isOwn(sender) ? nil : .any }
      guard rule.mayMatchSecrets else { return .any }
      // It holds for signals of both.
      if message.member == "AddMatch" {
        try addRule(text)
        return message.wantsReply ? .rule(text) : .any
      }
      try? removeRule(text)
      return .any
    default: return text.map(BusHub.isOwn) == true ? nil : .any
    }
  }
}
