import AtRestCrypto
import AtRestKeychain
import Foundation

/// The five classes that applications can request. An identity is a certificate with its private
/// key.
enum RequestedClass: Equatable {
  case items(ItemClass)
  case identity

  init?(rawValue: String) {
    if let itemClass = ItemClass(rawValue: rawValue) {
      self = .items(itemClass)
    } else if rawValue == "idnt" {
      self = .identity
    } else {
      return nil
    }
  }
}
