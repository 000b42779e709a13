import AtRestKeychain
import Foundation

/// A persistent reference to an item or an identity.
///
/// The reference to an identity is the reference to its certificate, with the prefix `idnt`.
enum PersistentItemReference {
  case item(PersistentReference)
  case identity(certificate: PersistentReference)

  private static let identityMark = Data("idnt".utf8)

  init?(data: Data) {
    if data.starts(with: Self.identityMark),
      let certificate = try? PersistentReference(data: Data(data.dropFirst(4)))
    {
      self = .identity(certificate: certificate)
    } else if let item = try? PersistentReference(data: data) {
      self = .item(item)
    } else {
      return nil
    }
  }

  var data: Data {
    switch self {
    case .item(let item): item.data
    case .identity(let certificate): Self.identityMark + certificate.data
    }
  }
}
