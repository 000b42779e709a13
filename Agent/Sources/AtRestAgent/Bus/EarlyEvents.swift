@_spi(Tools) import AtRestBus

/// The events that arrived on a bus while the reply to a call was expected, in order.
///
/// Events with the same meaning count once, as the last of them, so their number is bounded by what can be meant
/// and not by how often it is sent.
struct EarlyEvents {
  /// The number of different events: more sessions than systemd-logind has unless it is told so
  /// (`SessionsMax`).
  static let most = 10_000

  private var events: [BusConnection.Event] = []
  private var meanings: [BusConnection.Event.Meaning] = []
  private var known = Set<BusConnection.Event.Meaning>()

  /// Adds an event. Returns false if there are too many different ones.
  mutating func add(_ event: BusConnection.Event) -> Bool {
    let meaning = event.meaning
    if known.contains(meaning), let index = meanings.firstIndex(of: meaning) {
      meanings.remove(at: index)
      events.remove(at: index)
    }
    guard events.count < Self.most else { return false }
    known.insert(meaning)
    meanings.append(meaning)
    events.append(event)
    return true
  }

  /// Takes the first event.
  mutating func removeFirst() -> BusConnection.Event? {
    guard !events.isEmpty else { return nil }
    known.remove(meanings.removeFirst())
    return events.removeFirst()
  }
}

extension BusConnection.Event {
  /// The meaning of an event.
  enum Meaning: Hashable {
    case newOwner(String)
    /// The session is empty for signals that are about no session.
    case signal(String, member: String, flag: Bool?, session: String)
  }

  var meaning: Meaning {
    switch self {
    case .newOwner(let name): .newOwner(name)
    case .signal(let message):
      .signal(
        message.interface ?? "", member: message.member ?? "", flag: message.flag,
        session: LockSignal.isOfSession(message) ? message.path ?? "" : "")
    }
  }
}
