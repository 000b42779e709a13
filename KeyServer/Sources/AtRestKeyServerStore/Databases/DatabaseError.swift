import AtRestCrypto
import AtRestKeyServerProtocol

/// An error of a database, before it is turned into an `AtRestError`.
struct DatabaseError: Error {
  enum Kind {
    /// The connection was lost or could not be made.
    case offline
    /// The transaction collided with another one, and can be repeated.
    case collision
    /// The root key is being rotated.
    case rotating
    /// Anything else.
    case other
  }

  let kind: Kind
  let message: String

  var asAtRestError: AtRestError {
    switch kind {
    case .offline:
      AtRestError(
        .keyServerOffline, "The database cannot be reached: \(message)",
        remedy: "Start the database, or correct the connection string.")
    case .collision:
      AtRestError(
        .busy, "The transaction collided with others too often: \(message)",
        remedy: "Try again.")
    case .rotating:
      AtRestError(
        .busy, "The root key is being rotated.", remedy: "Try again when the rotation has ended.")
    case .other:
      AtRestError(
        .system, "The database refused a statement: \(message)",
        remedy: "See the database's own log.")
    }
  }
}
