// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension SecAccessControl: TypedObject {
  static var typeID: TypeID { .accessControl }
}

/// Returns the type identifier of ``SecAccessControl``.
public func SecAccessControlGetTypeID() -> CFTypeID { SecAccessControl.typeID.rawValue }
