import Foundation

/// An X.509 certificate (RFC 5280). Equal by content.
public final class SecCertificate: NSObject, Sendable {
  /// The DER.
  let data: Data

  init(data: Data) { self.data = data }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SecCertificate)?.data == data
  }
  public override var hash: Int { data.hashValue }
}
