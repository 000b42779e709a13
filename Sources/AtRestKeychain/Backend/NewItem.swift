/// An item that is to be added, without its value.
struct NewItem {
  let key: PrimaryKey
  let attributes: ItemAttributes
  let protection: ItemProtection
  /// True if the value is the stored form of a key of the device's hardware.
  var isHardwareKey = false
}
