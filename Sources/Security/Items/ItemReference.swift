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
