import Foundation

/// An error that defers a prompt until the database is released.
struct PendingPrompt: Error {
  enum Kind {
    case requirement(AccessControl.Requirement?, Data?)
    case applicationPassword
  }
  let kind: Kind
}
