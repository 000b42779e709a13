// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension SecCertificate: TypedObject {
  static var typeID: TypeID { .certificate }
}

/// Returns the type identifier of ``SecCertificate``.
public func SecCertificateGetTypeID() -> CFTypeID { SecCertificate.typeID.rawValue }
