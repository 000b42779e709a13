import Foundation

// The kinds of results that a call returns, and the keys under which it returns them.
// `nonisolated(unsafe)` is safe here, because literals never change.

/// A Boolean value that is true if the call returns the value, as data.
public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// A Boolean value that is true if the call returns the attributes, as a dictionary.
public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
/// A Boolean value that is true if the call returns the item as an object, such as a ``SecKey``.
public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
/// A Boolean value that is true if the call returns a persistent reference to the item, as data.
public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// The value of an item: data.
public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// An item as an object, such as a ``SecKey``.
public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"
/// A persistent reference to an item, which remains valid after the process ends: data.
public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"
