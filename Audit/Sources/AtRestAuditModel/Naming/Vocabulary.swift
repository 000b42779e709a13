/// The names of sensitive values, in the languages that apps are written in.
package enum Vocabulary {
  /// Words that make a name sensitive if they come last.
  static let words: [String: Sensitivity] = table([
    .credential: """
    password passwords passwd passwrd psswd pwd pswd pass passcode passphrase pincode pin pinno
    otp totp mpin upin secret secrets credential credentials credentialsecret
    contraseña contrasena contrasenya passwort passwörter kennwort geheimzahl mdp motdepasse senha
    parola wachtwoord lösenord losenord lozinka hasło haslo heslo jelszo jelszó salasana adgangskode
    passord şifre sifre пароль parol 密码 密碼 口令 mima パスワード 暗証番号 비밀번호 암호 รหัสผ่าน
    סיסמה mật\u{1EAD}khẩu matkhau sandi kata_sandi पासवर्ड
    """,
    .token: """
    token jwt bearer apikey apisecret accesstoken authtoken refreshtoken sessiontoken idtoken
    sessionid sessid authkey clientsecret accesskey authorization oauthtoken jeton
    """,
    .key: """
    privatekey secretkey encryptionkey aeskey masterkey seedphrase mnemonic cryptokey symmetrickey
    hmackey signingkey decryptionkey dek kek schlüssel
    """,
    .payment: """
    cvv cvc cvv2 cvc2 csc pan iban cardnumber cardno creditcard debitcard ccnumber ccno ccnum
    cardcvv cardcvc cardpin accountnumber kreditkarte kartennummer tarjeta cartao kontonummer
    """,
    .identity: """
    ssn sin nino passportnumber passportno socialsecurity socialsecuritynumber aadhaar aadhar
    cpf nif dni personnummer burgerservicenummer bsn taxid nationalid driverslicense
    sozialversicherungsnummer codicefiscale
    """,
    .personal: """
    email emails emailaddress mail correo phone phonenumber phonenumbers mobilenumber telephone
    telefon telefono dob dateofbirth birthdate birthday birthdate geburtsdatum homeaddress
    streetaddress postaladdress adresse maidenname
    """,
    .health: """
    disease diagnosis diagnoses illness symptom symptoms medication medications prescription
    prescriptions bloodtype bloodpressure bloodglucose heartrate allergy allergies medicalhistory
    healthrecord healthrecords pregnancy diagnose krankheit enfermedad maladie
    """,
    .location: """
    latitude longitude geolocation currentlocation userlocation lastlocation homelocation
    """,
  ])

  /// Phrases that make a name sensitive if they come last.
  static let phrases: [String: Sensitivity] = phraseTable([
    .credential: """
    pin code, pin number, pass code, pass phrase, pass word, user pin, secret answer,
    security answer, security code, one time code, recovery code, backup code, unlock code,
    login password, mot de passe, secret question, mot passe, code pin, clave acceso,
    palabra clave, clave secreta, verification code, recovery phrase, secret message,
    secret word, secret note
    """,
    .token: """
    access token, auth token, refresh token, session token, id token, api token, bearer token,
    api key, api secret, app secret, client secret, consumer secret, access key, auth key,
    session id, session identifier, session key, session cookie, auth cookie, auth header,
    authorization header, http authorization, bearer authorization, api keys, subscription key, shared secret, webhook secret
    """,
    .key: """
    private key, secret key, encryption key, decryption key, aes key, master key, symmetric key,
    signing key, hmac key, rsa key, crypto key, cipher key, wrapping key, database key, db key,
    realm key, sqlcipher key, seed phrase, mnemonic phrase, wallet seed, crypt key, des key,
    encrypt key, ecc key, data key, vault key, key material, enc key, private keys, secret keys,
    key data, key bytes, recovery key
    """,
    .payment: """
    card number, card no, credit card, debit card, card num, cc number, cc no, cc num, credit number,
    card cvv, card cvc, card code, bank account, account number, routing number, sort code,
    card security code, payment card, credit cards, debit cards, card pin, security number,
    card details, credit card info, card info, bank details, numero carte, numero tarjeta,
    card expiry, card expiration
    """,
    .identity: """
    social security, social security number, social insurance number, national id, tax id, tax number,
    passport number, passport no, driver license, drivers license, driving licence, license number,
    national insurance number, identity number, id card number, ssn number, insurance number
    """,
    .personal: """
    email address, e mail, mail address, phone number, mobile number, telephone number, cell number,
    phone no, mobile no, birth date, date birth, date of birth, home address, street address,
    postal address, maiden name, mailing address, billing address, shipping address, home phone,
    work phone, user email, mother name
    """,
    .health: """
    blood type, blood pressure, blood glucose, heart rate, medical history, medical record,
    medical records, health record, health records, health data, medical condition,
    medical conditions, patient name, patient record, patient id, hiv status, lab results,
    health condition, insulin dose
    """,
    .location: """
    current location, user location, last location, home location, last known location,
    current coordinate, user coordinate, home coordinate
    """,
  ])

  /// Words of ``words`` that count only if no other word precedes them: `locationAuthorization` is
  /// a permission.
  static let wordsAlone = set("authorization csc sin sandi pan pass mail bearer")

  /// Endings of words that are written without a separator.
  static let endings: [(String, Sensitivity)] = [
    ("password", .credential), ("passwd", .credential), ("passcode", .credential),
    ("passphrase", .credential), ("passwort", .credential), ("creditcard", .payment),
    ("cardnumber", .payment), ("accesstoken", .token), ("authtoken", .token),
    ("sessiontoken", .token), ("secretkey", .key), ("privatekey", .key),
    ("encryptionkey", .key), ("apikey", .token), ("secret", .credential),
    ("emailaddress", .personal),
    ("phonenumber", .personal),
  ]

  /// Words that only describe the form of a value.
  static let neutralEndings = set(
    """
    value values string str strings data text txt bytes byte buffer array new old current temp tmp
    copy plain plaintext raw input entry entered content contents object obj ns utf base64 b64 hex
    encoded decoded item field fields textfield optional unwrapped confirm confirmation again
    repeat retyped s var let const val param parameter arg argument local saved stored cached typed
    default dict dictionary variable literal
    """)

  /// Words that make a name harmless anywhere in it.
  package static let harmless = set(
    """
    encrypted hashed masked redacted obfuscated ciphered sealed wrapped scrambled censored hidden
    public cancellation cancel cancellable continuation once push device fcm apns registration
    observer notification observation subscription page next sync change token_type tokenizer
    placeholder hint error errors alert title label message regex pattern validator rule rules
    strength count length policy button icon image color colour font view controller manager
    service handler helper delegate provider cell row section segue identifier notification_name
    url uri link path endpoint screen page_token publishable symbol lexer parser syntax caret
    map annotation legend marker drop format formatter header_name expired expiry expires expiration
    visible visibility required type kind status state mode index enabled disabled valid invalid
    constraint height width margin gesture animation timer queue prompt reason class
    """
  ).subtracting(["device_token"])

  /// Last words of names for things that are no secrets, whatever a text calls them.
  package static let otherThings = set(
    """
    address amount balance price fee fees name names id ids identifier count number date time size
    length version status error err result success failure response request exception reason table
    """)

  static let harmlessPhrases = set(
    """
    map pin,drop pin,next token,page token,sync token,change token,token key,pin key,in token,\
    per token,of token,from token,by token,erc20 token,nft token,play session id,\
    playback session id,app account token,server change token,history token,native token,governance token
    """, by: ",")

  /// First words that make a name a question or an action instead of a value.
  static let questions = set(
    """
    is has had should can could did does will would was are show shows hide hides forgot forget reset
    change changes changed enable enables allow allows require requires required need needs use uses
    using validate validates verify verifies check checks on toggle remember remembers update updates
    save saves store stores set sets delete deletes remove removes clear clears add adds insert
    request requests send sends submit invalid wrong missing no max min maximum minimum num number
    login log print test handle present open close wipe erase ask want supports
    """)

  /// First words of functions that return the value that their name mentions.
  static let readers = set(
    "get fetch load read retrieve obtain current generate generated make create build new copy the my"
  )

  /// Words of ``questions`` that can also begin the name of a field: `loginPassword`,
  /// `verifyPassword`.
  static let fieldQualifiers = set("login change reset update verify set test")

  /// Words for controls, before and after the purpose of a field.
  package static let controls = set(
    """
    text field textfield txt tf txf textview view tv textbox box input edit editor entry outlet ib
    m ui label lbl fld tfield tbx et feld campo champ veld pole поле
    """)

  /// Last or first words of the names of text fields.
  static let fields = set(
    "textfield field txt tf txf textview fld textbox input tfield feld campo champ veld pole поле")

  /// Words that make the name of a field sensitive, but not the name of a variable.
  static let fieldEndings: [String: Sensitivity] = [
    "session": .token, "cc": .payment, "card": .payment, "csrf": .token, "answer": .credential,
    "pw": .credential, "pass": .credential, "secret": .credential, "otp": .credential,
  ]

  package static let securityQuestions = [
    "city were you born", "town were you born", "where were you born", "mother's maiden",
    "mothers maiden", "first pet", "favorite teacher", "favourite teacher", "first car",
    "security question", "security answer", "street did you grow", "best friend's name",
    "favorite color", "favourite colour", "first school", "secret question", "secret answer",
    "father's middle", "elementary school", "mother’s maiden", "first job",
  ]

  /// Words of captions that explain and do not ask for a value.
  static let captionsThatAskNothing = set(
    """
    forgot forgotten reset change show hide invalid wrong incorrect must should required least
    characters match matches click tap press learn stored saved success error failed cannot search
    filter find
    """)

  /// Codes that are printed on a card beside its number and must stay secret.
  package static let cardCodes = set("cvv cvc cvv2 cvc2 csc cid pin cardcvv cardcvc cardpin")

  /// Names of values that can only be used once.
  package static let oneTimeWords = set("otp totp hotp sms mfa twofactor")

  package static let oneTimePhrases = [
    "one time", "verification code", "recovery code", "backup code", "2 fa", "two factor",
    "authentication code", "confirmation code", "activation code", "two step",
  ]

  /// Words in the names of fields for values that are not secret. The label beside such a field is
  /// taken to belong to another field.
  package static let plainSubjects = set(
    """
    username user login name firstname lastname surname url server host port title search amount
    quantity message note notes comment description subject company website
    """)

  /// Words that change the meaning of the word before them in a caption.
  static let captionNouns = set(
    "hint name names length strength reminder manager policy generator history holder type label url uri link path file"
  )

  private static func set(_ text: String, by separator: Character? = nil) -> Set<String> {
    Set(text.split { separator == nil ? $0.isWhitespace : $0 == separator }.map(String.init))
  }

  private static func table(_ texts: [Sensitivity: String]) -> [String: Sensitivity] {
    var table: [String: Sensitivity] = [:]
    for (sensitivity, text) in texts {
      for word in set(text) { table[word] = sensitivity }
    }
    return table
  }

  private static func phraseTable(_ texts: [Sensitivity: String]) -> [String: Sensitivity] {
    var table: [String: Sensitivity] = [:]
    for (sensitivity, text) in texts {
      for phrase in text.split(separator: ",") {
        table[phrase.split(whereSeparator: \.isWhitespace).joined(separator: " ")] = sensitivity
      }
    }
    return table
  }
}
