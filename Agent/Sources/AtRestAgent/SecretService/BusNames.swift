import Synchronization

/// The names that programs take on the agent's bus, from which a program can tell that it runs already.
///
/// Programs with a window end without such a name. No other program sees it, and nothing is passed on to its owner.
final class BusNames: Sendable {
  /// The number of names of one client.
  static let most = 16
  /// The size of a name (D-Bus Specification 0.43, *Valid Names*).
  private static let longest = 255

  /// The answer to a request for a name. Nobody waits for one.
  enum Answer: UInt32 {
    case isOwner = 1
    case hasOtherOwner = 3
    case wasOwner = 4
  }

  /// The answer to giving a name back.
  enum Return: UInt32 {
    case isReturned = 1
    case hasNoOwner = 2
    case hasOtherOwner = 3
  }

  /// The unique name of the owner of each name.
  private let owners = Mutex<[String: String]>([:])

  /// Gives a client a name that no client has.
  ///
  /// - Throws: ``BusFailure`` if it is not a name that a program can have, or if the client has too many.
  func take(_ name: String, for client: String) throws -> Answer {
    guard Self.isValid(name) else {
      throw BusFailure(BusHub.bus + ".Error.InvalidArgs", "A program cannot have this name.")
    }
    guard name != BusHub.bus, name != BusHub.service else {
      throw BusFailure(BusHub.bus + ".Error.AccessDenied", "The agent has the name \(name).")
    }
    return try owners.withLock { owners in
      if let owner = owners[name] { return owner == client ? .wasOwner : .hasOtherOwner }
      guard owners.values.count(where: { $0 == client }) < Self.most else {
        throw BusFailure(
          BusHub.bus + ".Error.LimitsExceeded", "A connection has at most \(Self.most) names.")
      }
      owners[name] = client
      return .isOwner
    }
  }

  /// Takes a name from a client that gives it back.
  func giveBack(_ name: String, from client: String) -> Return {
    owners.withLock { owners in
      guard let owner = owners[name] else { return .hasNoOwner }
      guard owner == client else { return .hasOtherOwner }
      owners[name] = nil
      return .isReturned
    }
  }

  /// Takes all names from a client that has ended.
  func leave(_ client: String) {
    owners.withLock { $0 = $0.filter { $0.value != client } }
  }

  /// True for two or more parts of letters, digits, `_` and `-`, none of which begins with a digit.
  static func isValid(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return name.utf8.count <= longest && parts.count > 1
      && parts.allSatisfy { part in
        part.first.map { !("0"..."9").contains($0) } == true
          && part.utf8.allSatisfy {
            ($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z"))
              || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
              || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
          }
      }
  }
}
