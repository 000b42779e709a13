extension SecretName {
  /// Last words of a name that decide its kind, in the languages that apps are written in.
  static let words = table([
    .password: """
    password passwords passwd pwd passcode passphrase pincode mpin otp totp credential credentials
    contraseña contrasena passwort kennwort geheimzahl mdp motdepasse senha parola wachtwoord
    lösenord losenord hasło haslo heslo jelszó jelszo salasana adgangskode passord şifre sifre
    пароль parol 密码 密碼 口令 パスワード 暗証番号 비밀번호 암호 รหัสผ่าน סיסמה sandi पासवर्ड
    """,
    .token: """
    token jwt apikey apisecret accesstoken authtoken refreshtoken sessiontoken idtoken sessionid
    sessid phpsessid jsessionid authkey clientsecret accesskey oauthtoken jeton secret secrets
    """,
    .privateKey: """
    privatekey secretkey encryptionkey aeskey masterkey seedphrase mnemonic hmackey signingkey
    decryptionkey
    """,
    .cardNumber: "cvv cvc cvv2 cvc2 cardnumber cardno creditcard debitcard ccnumber kreditkarte",
    .bankAccount: "iban accountnumber kontonummer",
    .identityNumber: """
    ssn nino passportnumber passportno socialsecurity aadhaar cpf personnummer burgerservicenummer
    nationalid sozialversicherungsnummer codicefiscale
    """,
    .email: "email emails emailaddress",
    .phone: "phone phonenumber mobilenumber telephone telefon telefono msisdn",
    .address: "homeaddress streetaddress postaladdress",
    .dateOfBirth: "dob dateofbirth birthdate birthday geburtsdatum",
    .health: """
    disease diagnosis diagnoses illness symptom symptoms medication medications prescription
    prescriptions bloodtype bloodpressure bloodglucose heartrate allergy allergies pregnancy
    krankheit enfermedad maladie
    """,
    .location: "latitude longitude geolocation",
  ])

  /// Last words of a name that have other meanings too.
  static let weakWords = table([
    .password: "pass pin",
    .token: "auth authorization session cookie sid bearer",
    .cardNumber: "pan",
    .location: "lat lon lng coordinate coordinates location",
    .email: "mail",
  ])

  static let phrases = phraseTable([
    .password: """
    pin code, pin number, pass code, pass phrase, pass word, user pin, secret answer, security answer,
    one time code, recovery code, backup code, unlock code, mot de passe, secret question,
    recovery phrase, clave secreta
    """,
    .token: """
    access token, auth token, refresh token, session token, id token, api token, bearer token, api key,
    api secret, app secret, client secret, consumer secret, access key, auth key, session id,
    session key, session cookie, auth cookie, shared secret, webhook secret, subscription key,
    connect sid
    """,
    .privateKey: """
    private key, secret key, encryption key, decryption key, aes key, master key, symmetric key,
    signing key, hmac key, rsa key, database key, db key, realm key, sqlcipher key, seed phrase,
    mnemonic phrase, wallet seed
    """,
    .cardNumber: "card number, card no, credit card, debit card, cc number, card cvv, card cvc",
    .bankAccount: "bank account, account number, routing number, sort code",
    .identityNumber: """
    social security, social security number, social insurance number, national id, passport number,
    passport no, drivers license, national insurance number, insurance number
    """,
    .email: "email address, e mail, mail address, user email",
    .phone: """
    phone number, mobile number, telephone number, cell number, phone no, mobile phone, home phone,
    work phone
    """,
    .address: "home address, street address, postal address, billing address, shipping address",
    .dateOfBirth: "birth date, date of birth, date birth",
    .health: """
    blood type, blood pressure, blood glucose, heart rate, medical history, medical record,
    medical records, health record, medical condition, medical conditions, hiv status, insulin dose
    """,
  ])

  /// Endings of compound words.
  static let endings: [(String, Detection.Kind)] = [
    ("password", .password), ("passwd", .password), ("passcode", .password),
    ("passphrase", .password), ("passwort", .password), ("accesstoken", .token),
    ("authtoken", .token), ("sessiontoken", .token), ("apikey", .token), ("sessionid", .token),
    ("secretkey", .privateKey), ("privatekey", .privateKey), ("creditcard", .cardNumber),
    ("cardnumber", .cardNumber), ("emailaddress", .email), ("phonenumber", .phone),
  ]

  /// Words that only describe the form of a value.
  static let neutralEndings = set(
    """
    value string str data text txt bytes raw input plain plaintext content obj current new old b64
    base64 hex encoded decoded field v
    """)

  /// Words that say that the value was made from a secret, or only looks like one. They apply
  /// wherever they occur before the word that decides the kind.
  static let transformations = set(
    """
    encrypted hashed hash masked redacted hidden public publishable placeholder hint regex pattern
    validator rule rules policy expired invalid
    """)

  /// Words before `token` that make it a marker, and no key to anything: `pushToken`.
  static let purposes = set(
    """
    push device fcm apns registration continuation page next sync change cursor csrf xsrf map drop
    event animation notification notifications image label title color font start end first last
    """)

  /// Words that make a session or a token one of statistics.
  static let measurements = set("analytics tracking tracker consent csrf xsrf")

  /// Last words of names whose values are handles (`jo@social.example`), or the makers of software.
  static let handles = set(
    """
    acct handle handles webfinger mention mentions actor license licence licenses licences copyright
    maintainer maintainers contributor contributors
    """)

  /// Words of names whose values are numbers that count or identify something.
  static let numberings = set(
    """
    id ids identifier identifiers uuid guid serial imei imsi iccid order tracking invoice reference
    ref transaction barcode ean upc isbn timestamp time date build version size offset hash checksum
    seed nonce count sequence seq revision
    """)

  /// Words that make a name harmless, if the word that decides the kind is weak.
  static let harmless = set(
    """
    encrypted hashed hash masked redacted hidden public push device fcm apns registration
    continuation page next sync change cursor placeholder hint error errors alert title label message
    regex pattern validator rule rules strength count length policy button icon image color font
    controller handler provider cell url uri link path endpoint publishable expired expiry expires
    expiration visible required type kind status state mode index enabled disabled valid invalid
    height width animation timer timeout prompt reason version format prefix suffix header domain
    duration start started end ended date time timestamp created updated last first number_of attempts
    limit min max size csrf xsrf map drop consent permission tracking tracker analytics event name
    domain class id_prefix measurement unit units verified confirmed subscribed notification
    notifications preferences settings screen view cookie_policy
    """)

  /// First words of names that answer yes or no, and do not hold the value itself.
  static let questions = set(
    """
    is has had should can could did does will would was are show shows hide forgot reset allow allows
    require requires needs need use uses using validate verify check remember update save store delete
    remove clear no did supports enable enables
    """)

  private static func set(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  private static func table(_ texts: [Detection.Kind: String]) -> [String: Detection.Kind] {
    var table: [String: Detection.Kind] = [:]
    for (kind, text) in texts {
      for word in set(text) { table[word] = kind }
    }
    return table
  }

  private static func phraseTable(_ texts: [Detection.Kind: String]) -> [String: Detection.Kind] {
    var table: [String: Detection.Kind] = [:]
    for (kind, text) in texts {
      for phrase in text.split(separator: ",") {
        table[phrase.split(whereSeparator: \.isWhitespace).joined(separator: " ")] = kind
      }
    }
    return table
  }
}
