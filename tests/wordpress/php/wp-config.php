<?php
// The configuration of a WordPress that lives as long as a test run, in a SQLite file of its own.
define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', '' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', '' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
define( 'DB_DIR', __DIR__ . '/wp-content/database/' );
define( 'DB_FILE', 'site.sqlite' );
foreach ( array( 'AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE' ) as $name ) {
	define( $name . '_KEY', $name . ' key of a site that only tests reach' );
	define( $name . '_SALT', $name . ' salt of a site that only tests reach' );
}
// Without https WordPress offers application passwords to local sites alone.
define( 'WP_ENVIRONMENT_TYPE', 'local' );
define( 'WP_HOME', getenv( 'MOLVA_SITE_URL' ) );
define( 'WP_SITEURL', getenv( 'MOLVA_SITE_URL' ) );
// Nothing of a test may wait for a network or change the site by itself.
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'DISABLE_WP_CRON', true );
define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'WP_DEBUG', false );
$table_prefix = 'wp_';
if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', __DIR__ . '/' );
}
require_once ABSPATH . 'wp-settings.php';
