import AtRestCrypto
import AtRestKeychain
import Foundation

/// The location of a value in the vault: its compartment and its name.
struct ValuePlace: Sendable, Hashable {
  let compartment: Data
  let name: String
  var words: String { "The value \"\(name)\"" }
}
