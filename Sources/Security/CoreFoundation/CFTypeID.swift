import Foundation

/// The kinds of objects that ``CFGetTypeID(_:)`` tells apart.
enum TypeID: CFTypeID {
  // 0 is no type.
  case null = 1
  case string, data, date, number, boolean, array, dictionary, error, url
  case accessControl, key, certificate, identity
  case other
}

/// What kind of object an object is.
///
/// - Returns: What the `Get…TypeID` function of its kind gives, or a number that is none of theirs.
public func CFGetTypeID(_ object: CFTypeRef!) -> CFTypeID {
  let kind: TypeID =
    switch object {
    case is NSString: .string
    case is NSData: .data
    case is NSDate: .date
    // Of all numbers only Booleans are made of a C `char`.
    case let number as NSNumber: number.objCType.pointee == 0x63 ? .boolean : .number
    case is NSArray: .array
    case is NSDictionary: .dictionary
    case is NSError: .error
    case is NSURL: .url
    case is NSNull: .null
    case is SecAccessControl: .accessControl
    case is SecKey: .key
    case is SecCertificate: .certificate
    case is SecIdentity: .identity
    default: .other
    }
  return kind.rawValue
}

/// The kind of null.
public func CFNullGetTypeID() -> CFTypeID { TypeID.null.rawValue }
/// The kind of strings.
public func CFStringGetTypeID() -> CFTypeID { TypeID.string.rawValue }
/// The kind of data.
public func CFDataGetTypeID() -> CFTypeID { TypeID.data.rawValue }
/// The kind of dates.
public func CFDateGetTypeID() -> CFTypeID { TypeID.date.rawValue }
/// The kind of numbers that are no Booleans.
public func CFNumberGetTypeID() -> CFTypeID { TypeID.number.rawValue }
/// The kind of Booleans.
public func CFBooleanGetTypeID() -> CFTypeID { TypeID.boolean.rawValue }
/// The kind of arrays.
public func CFArrayGetTypeID() -> CFTypeID { TypeID.array.rawValue }
/// The kind of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { TypeID.dictionary.rawValue }
/// The kind of errors.
public func CFErrorGetTypeID() -> CFTypeID { TypeID.error.rawValue }
/// The kind of URLs.
public func CFURLGetTypeID() -> CFTypeID { TypeID.url.rawValue }
/// The kind of access controls.
public func SecAccessControlGetTypeID() -> CFTypeID { TypeID.accessControl.rawValue }
/// The kind of keys.
public func SecKeyGetTypeID() -> CFTypeID { TypeID.key.rawValue }
/// The kind of certificates.
public func SecCertificateGetTypeID() -> CFTypeID { TypeID.certificate.rawValue }
/// The kind of identities.
public func SecIdentityGetTypeID() -> CFTypeID { TypeID.identity.rawValue }
