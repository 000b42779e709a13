// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension SecTrust: TypedObject {
  static var typeID: TypeID { .trust }
}

/// Returns the type identifier of ``SecTrust``.
public func SecTrustGetTypeID() -> CFTypeID { SecTrust.typeID.rawValue }
