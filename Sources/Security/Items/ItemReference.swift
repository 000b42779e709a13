import AtRestKeychain
import Foundation

/// An object that represents an item.
enum ItemReference {
  case key(SecKey)
  case certificate(SecCertificate)
  case identity(SecIdentity)

  init?(_ object: Any) {
    switch object {
    case let key as SecKey: self = .key(key)
    case let certificate as SecCertificate: self = .certificate(certificate)
    case let identity as SecIdentity: self = .identity(identity)
    default: return nil
    }
  }

  var itemClass: RequestedClass {
    switch self {
    case .key: .items(.key)
    case .certificate: .items(.certificate)
    case .identity: .identity
    }
  }
}

/// A persistent reference to an item or an identity.
///
/// The reference to an identity is the reference to its certificate, with a mark before it.
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
